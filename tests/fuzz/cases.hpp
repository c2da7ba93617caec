// What the targets that read cases share.
#pragma once

#include "app/physics.hpp"
#include "case/settings.hpp"

namespace solenoid::fuzz {

// Makes the mesh files that the seeds name, so that a case which names one of them is accepted.
// They are empty: a case is read without its mesh.
void make_meshes();

// Compares an accepted case with meshes that have its names; findings end the process.
void check_settings(CaseSettings settings);

}  // namespace solenoid::fuzz
