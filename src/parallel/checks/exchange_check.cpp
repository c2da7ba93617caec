#include "parallel/checks/exchange_check.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "device/expression.hpp"
#include "parallel/checks/agreed_words.hpp"
#include "parallel/checks/random_plan.hpp"
#include "parallel/halo.hpp"

namespace solenoid {
namespace {

constexpr int bits = 21;  // of each of the two terms of a value

double base_of(int owner, Index entity, int column) {
    return double(hash_of(owner, entity, column) >> (64 - bits));
}

// The term of a round: up to 2^21 consecutive rounds have different ones.
double shift_of(std::int64_t round) {
    return double((std::uint32_t(round) * 2654435769u) >> (32 - bits));
}

}  // namespace

// A halo with its field and the result of its checks.
class ExchangeCheck::Trial {
  public:
    virtual ~Trial() = default;
    // is_whole: starts and finishes at once, recorded where that is possible.
    virtual void start(std::int64_t round, bool is_whole) = 0;
    virtual void finish() = 0;
    // The round of the first wrong value (0: none) and a text about it. Both wait for the device.
    virtual std::int64_t first_wrong_round() const = 0;
    virtual std::string words() const = 0;
};

template <class Real>
class ExchangeCheck::TrialOf final : public Trial {
  public:
    TrialOf(const Communicator& comm, Device& device, int number, int columns, RandomPlan made)
        : rank_(comm.rank()),
          number_(number),
          columns_(columns),
          made_(std::move(made)),
          device_(device),
          halo_(comm, device, made_.plan, columns),
          field_(device.buffer<Real>(made_.all, columns)),
          found_(device.buffer<Real>(made_.all, columns)),
          round_(device.buffer<Real>(made_.all, columns)) {
        std::vector<Real> values;
        for (int j = 0; j < columns; ++j)
            for (Index i = 0; i < made_.all; ++i) values.push_back(Real(base(i, j)));
        base_ = device.buffer<Real>(std::span<const Real>(values), columns);
    }

    void start(std::int64_t round, bool is_whole) override {
        rounds_.push_back(round);
        const Over own(device_, {0, made_.owned});
        for (int j = 0; j < columns_; ++j)
            own[column(field_, j)] = column(base_, j) + shift_of(round);
        if (!is_whole)
            under_way_ = halo_.start(field_);
        else if (halo_.takes_the_host() || !halo_.has_messages())
            halo_.exchange(field_);
        else
            device_.repeat(recording_, [this] { halo_.exchange(field_); });
    }

    void finish() override {
        under_way_.finish();
        const double shift = shift_of(rounds_.back());
        const Over all(device_, {0, made_.all});
        for (int j = 0; j < columns_; ++j) {
            // All values are integers; a comparison with NaN is false.
            const auto is_right = 1.0 > abs(column(field_, j) - (column(base_, j) + shift));
            all[column(found_, j)] =
                where(is_right, column(found_, j),
                      where(column(round_, j) > 0.0, column(found_, j), column(field_, j)));
            all[column(round_, j)] =
                where(is_right, column(round_, j),
                      where(column(round_, j) > 0.0, column(round_, j), double(rounds_.size())));
        }
    }

    std::int64_t first_wrong_round() const override {
        double latest = 0;
        for (int j = 0; j < columns_; ++j)
            latest = std::max(latest, Over(device_, {0, made_.all}).greatest(column(round_, j)));
        return latest > 0 ? rounds_[std::size_t(first().round) - 1] : 0;
    }

    std::string words() const override {
        const First wrong = first();
        const std::size_t n = std::size_t(wrong.round) - 1;
        const double base = this->base(wrong.entity, wrong.column),
                     expected = base + shift_of(rounds_[n]);
        std::string entity = fmt::format("its own entity {}", wrong.entity);
        if (wrong.entity >= made_.owned) {
            const RandomPlan::Origin& origin = made_.origins[wrong.entity - made_.owned];
            entity = fmt::format("ghost {} (entity {} of rank {})", wrong.entity, origin.entity,
                                 origin.rank);
        }
        const bool is_stale = wrong.found == (n > 0 ? base + shift_of(rounds_[n - 1]) : 0);
        return fmt::format(
            "exchange {} (halo {}, {} of {} columns) on rank {}: {}, column {}: expected {:.0f}, "
            "found {}{}",
            rounds_[n], number_, sizeof(Real) == 8 ? "doubles" : "floats", columns_, rank_, entity,
            wrong.column, expected, wrong.found,
            is_stale ? ", what was there before the exchange" : "");
    }

  private:
    struct First {
        double round;  // of this halo, from 1
        Index entity;
        int column;
        double found;
    };

    double base(Index i, int column) const {
        if (i < made_.owned) return base_of(rank_, i, column);
        const RandomPlan::Origin& origin = made_.origins[i - made_.owned];
        return base_of(origin.rank, origin.entity, column);
    }

    First first() const {
        const std::vector<Real> rounds = round_.download(), found = found_.download();
        std::size_t at = rounds.size();
        for (std::size_t k = 0; k < rounds.size(); ++k)
            if (rounds[k] > 0 && (at == rounds.size() || rounds[k] < rounds[at])) at = k;
        return {double(rounds.at(at)), static_cast<Index>(at % made_.all),
                static_cast<int>(at / made_.all), double(found[at])};
    }

    int rank_, number_, columns_;
    RandomPlan made_;
    Device& device_;
    Halo<Real> halo_;
    Buffer<Real> base_, field_;
    // the first wrong value of each entity, and its round (of this halo, from 1; 0: none)
    Buffer<Real> found_, round_;
    std::vector<std::int64_t> rounds_;
    std::unique_ptr<Recording> recording_;  // destroyed before what it repeats
    Exchange under_way_;
};

ExchangeCheck::ExchangeCheck(const Communicator& comm, Device& device,
                             const ExchangeSettings& settings)
    : comm_(comm),
      device_(device),
      settings_(settings),
      draws_(hash_of(settings.seed, 1)),
      delays_(device, hash_of(settings.seed, 2, comm.rank())) {
    for (Index n = 0; n < settings.halos; ++n) {
        const int columns =
            1 + static_cast<int>(draws_.is_one_in(2) ? draws_.below(3) : draws_.below(12));
        RandomPlan plan = random_plan(comm.rank(), comm.size(), hash_of(settings.seed, 3, n),
                                      settings.most_entities);
        if (n % 2 && device.info().has_fp64)
            trials_.push_back(
                std::make_unique<TrialOf<double>>(comm, device, n, columns, std::move(plan)));
        else
            trials_.push_back(
                std::make_unique<TrialOf<float>>(comm, device, n, columns, std::move(plan)));
    }
}

ExchangeCheck::~ExchangeCheck() = default;

std::string ExchangeCheck::run(std::int64_t count) {
    return agreed_words(comm_, [&] {
        for (const std::int64_t last = round_ + count; round_ < last;)
            run_some(static_cast<Index>(std::min<std::int64_t>(4, last - round_)));
        return first_wrong();
    });
}

// Runs up to `most` exchanges of different halos: started one after another, finished in another
// order.
void ExchangeCheck::run_some(Index most) {
    std::vector<Trial*> chosen;
    for (Index k = 1 + draws_.below(std::min<Index>(most, settings_.halos)); k > 0; --k) {
        Trial* const trial = trials_[draws_.below(settings_.halos)].get();
        if (std::ranges::count(chosen, trial)) continue;
        chosen.push_back(trial);
        delays_.maybe(40);
        trial->start(++round_, draws_.is_one_in(4));
    }
    delays_.maybe(40);
    if (draws_.is_one_in(2)) std::ranges::reverse(chosen);
    for (Trial* trial : chosen) trial->finish();
}

std::string ExchangeCheck::first_wrong() const {
    const Trial* first = nullptr;
    std::int64_t round = 0;
    for (const auto& trial : trials_) {
        const std::int64_t wrong = trial->first_wrong_round();
        if (wrong == 0 || (first && wrong > round)) continue;
        first = trial.get();
        round = wrong;
    }
    return first ? fmt::format("{}; seed {}", first->words(), settings_.seed) : "";
}

}  // namespace solenoid
