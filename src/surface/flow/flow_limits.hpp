// How long mean curvature flow may go on before a surface is gone, and how long it usually goes on.
#pragma once

#include <string>
#include <vector>

#include "surface/checked_surface.hpp"

namespace solenoid {

// Of a part of a surface.
struct PartMeasures {
    Vec3 low, high;     // its bounds
    double area = 0;    // [length^2]
    double volume = 0;  // each border closed by a cone to the middle of its points [length^3]
    double turned = 0;  // |integral of the normal| / area: 0 of closed parts, 1 of plane ones
    double edge = 0;    // the mean [length]
    Index edges = 0;

    // The time that changes the part's shape by about a tenth: 0.2 (V / A)^2, a tenth of the time
    // in which a tube is gone and 9 % of a sphere's, and 0.016 A for what a border spans, in which
    // the lowest mode of a disc falls by a quarter (a part in between has some of each).
    double usual_time() const;
};
// Whether a part has a volume that rounding alone does not make.
bool has_volume(const PartMeasures& part);

std::vector<PartMeasures> measures_of(const CheckedSurface& surface);

// A closed surface inside a ball of radius R is gone before the time R^2 / 4, when the sphere round
// it is. The least of these over closed parts that are not spared; infinity where no part is
// closed. A ball is found by the part's bounds, so that it is up to 3/2 as large as it could be.
struct FlowLimit {
    double time;
    Index part;     // none where there is no closed one
    double radius;  // of the ball
};
FlowLimit limit_of(const CheckedSurface& surface, const std::vector<bool>& spared = {});

// What is usual for a surface as a whole: the least time of its parts but for the thinnest ones,
// which together have a twentieth of the area at most, such as the dust of a scan.
struct UsualFlow {
    double time;             // 0 where the parts have next to no volume and no border
    double edge;             // mean of the parts but those
    Index thinnest;          // the part that the time is of
    std::vector<bool> thin;  // of each part whether it is one of those
};
UsualFlow usual_flow_of(const std::vector<PartMeasures>& parts);

// A triangle of a part, for messages.
std::string triangle_of(const CheckedSurface& surface, Index part);

}  // namespace solenoid
