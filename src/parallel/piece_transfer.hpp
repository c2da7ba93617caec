// Pieces of a mesh on their way from the root to their ranks.
#pragma once

#include "parallel/communicator.hpp"
#include "partition/partition.hpp"

namespace solenoid {

void send_piece(const Communicator& comm, const PartPiece& held, int rank);
PartPiece receive_piece(const Communicator& comm, int root);

}  // namespace solenoid
