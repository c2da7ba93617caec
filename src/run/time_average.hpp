// Means over time and root mean squares of the fluctuations about them, of values that are linear
// between their samples.
#pragma once

#include <span>
#include <vector>

namespace solenoid {

// What an average has gathered, and all that it needs to go on.
struct AverageSums {
    double covered = 0;          // time between the samples, without gaps [s]
    double time = 0;             // of the last sample [s]
    double first = 0;            // time of the first one [s]
    bool has_gap = false;        // the time from the last sample to the next one does not count
    std::vector<double> last;    // sample; empty: there was none
    std::vector<double> mean;    // over the time covered
    std::vector<double> square;  // integral of the squared deviation from the mean
};

class TimeAverage {
  public:
    // Samples in order of time, each with as many values.
    void add(double time, std::span<const double> values);
    // What lies between the last sample and the next one does not count.
    void interrupt() { sums_.has_gap = !is_empty(); }
    bool is_empty() const { return sums_.last.empty(); }
    // Of a single sample: the sample, and 0.
    std::vector<double> mean() const;
    std::vector<double> rms() const;
    // First and last time that count [s].
    double from() const { return sums_.first; }
    double to() const { return sums_.time; }
    AverageSums& sums() { return sums_; }
    const AverageSums& sums() const { return sums_; }

  private:
    AverageSums sums_;
};

}  // namespace solenoid
