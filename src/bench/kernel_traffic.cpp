#include "bench/kernel_traffic.hpp"

#include <algorithm>
#include <cctype>
#include <string>

namespace solenoid::bench {
namespace {

// Where a kernel reads an argument: at its own entity, at other entities.
struct Reads {
    bool own = false, elsewhere = false;
};

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }

Reads reads_of(const KernelInfo& kernel, std::string_view name) {
    const std::string_view body = kernel.body;
    Reads reads;
    for (std::size_t at = body.find(name); at != std::string_view::npos;
         at = body.find(name, at + 1)) {
        const std::size_t open = at + name.size();
        if ((at > 0 && is_word(body[at - 1])) || open >= body.size() || body[open] != '(') continue;
        std::size_t end = open + 1;
        while (end < body.size() && is_word(body[end])) ++end;
        const bool is_own = body.substr(open + 1, end - open - 1) == kernel.index &&
                            end < body.size() && (body[end] == ')' || body[end] == ',');
        (is_own ? reads.own : reads.elsewhere) = true;
    }
    return reads;
}

struct Argument {
    const KernelArgument& declared;
    const Storage& storage;
    int columns;
    Reads reads;

    bool is_rows() const { return declared.is_row_table || !declared.rows.empty(); }
    bool is_number() const { return declared.type == ValueType::uint && !declared.is_row_table; }
    // The number of entities read. references: the number of references to other entities.
    double entities(Range range, double references) const {
        if (is_rows()) return storage.size;
        const double own = reads.own ? range.size() : 0;
        return std::min<double>(storage.size, own + (reads.elsewhere ? references : 0));
    }
};

std::vector<Argument> inputs_of(const Launch& launch) {
    std::vector<Argument> inputs;
    for (std::size_t n = 0; n < launch.kernel->arguments.size(); ++n) {
        const KernelArgument& a = launch.kernel->arguments[n];
        const int given = launch.columns[n] ? launch.columns[n] : launch.buffers[n]->columns;
        if (a.access == Access::in)
            inputs.push_back({a, *launch.buffers[n],
                              a.or_one ? given : column_count(a, launch.dimension),
                              reads_of(*launch.kernel, a.name)});
    }
    return inputs;
}

}  // namespace

double traffic_of(const Launch& launch, Range range) {
    const std::vector<Argument> inputs = inputs_of(launch);
    double own_numbers = 0, numbers = 0, bytes = 0;
    for (const Argument& a : inputs)
        if (a.is_number() && (a.is_rows() || a.reads.own))
            own_numbers += a.columns * a.entities(range, 0);
    numbers = own_numbers;
    for (const Argument& a : inputs)  // entity numbers that are read at referenced entities
        if (a.is_number() && !a.is_rows() && a.reads.elsewhere)
            numbers += a.columns * a.entities(range, own_numbers);
    for (const Argument& a : inputs)
        bytes += a.columns * a.entities(range, numbers) * double(bytes_of(a.storage.type));
    for (std::size_t n = 0; n < launch.kernel->arguments.size(); ++n) {
        const KernelArgument& a = launch.kernel->arguments[n];
        if (a.access == Access::in) continue;
        bytes += (a.access == Access::inout ? 2.0 : 1.0) * column_count(a, launch.dimension) *
                 range.size() * double(bytes_of(launch.buffers[n]->type));
    }
    return bytes;
}

}  // namespace solenoid::bench
