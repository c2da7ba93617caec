#include "device/cuda/expression_ptx.hpp"

#include <cstddef>

#include "device/cuda/arguments.hpp"
#include "device/cuda/embedded.hpp"
#include "device/cuda/expression_body.hpp"

namespace solenoid::cuda {
namespace {

constexpr const char* header = ".version 6.3\n.target sm_70\n.address_size 64\n\n";

std::string number(std::size_t value) { return std::to_string(value); }

// A module's functions, less its header.
std::string functions_of(const char* module) {
    const std::string text = module;
    const std::string last = ".address_size 64";
    const std::size_t at = text.find(last);
    return at == std::string::npos ? text : text.substr(at + last.size());
}

// The first entity of the thread, the end of the range, the step to the thread's next.
struct Entities {
    std::string first, end, step;
};
Entities entities(PtxCode& code) {
    const std::string block = code.constant(Register::word, "mov.u32", "%ctaid.x"),
                      thread = code.constant(Register::word, "mov.u32", "%tid.x");
    const std::string begin =
        code.constant(Register::word, "ld.param.u32", parameter(offsetof(Arguments, begin)));
    const std::string inside = code.constant(Register::word, "mad.lo.u32",
                                             block + ", " + number(group_size) + ", " + thread);
    const std::string blocks = code.constant(Register::word, "mov.u32", "%nctaid.x");
    return {code.constant(Register::word, "add.u32", inside + ", " + begin),
            code.constant(Register::word, "ld.param.u32", parameter(offsetof(Arguments, end))),
            code.constant(Register::word, "mul.lo.u32", blocks + ", " + number(group_size))};
}

const char* identity_of(Reduction operation) {
    return operation == Reduction::sum   ? "0d0000000000000000"
           : operation == Reduction::min ? "0d7FF0000000000000"
                                         : "0dFFF0000000000000";
}

// total = total with the value, in place; a NaN wins.
void add_to(const std::string& total, const std::string& value, Reduction operation,
            PtxCode& code) {
    if (operation == Reduction::sum)
        return code.line("add.rn.f64 " + total + ", " + total + ", " + value);
    const std::string is_nan = code.value(Register::truth, "setp.nan.f64", value + ", " + value);
    const std::string is_more =
        code.value(Register::truth, operation == Reduction::min ? "setp.lt.f64" : "setp.gt.f64",
                   value + ", " + total);
    const std::string takes = code.value(Register::truth, "or.pred", is_nan + ", " + is_more);
    code.line("selp.f64 " + total + ", " + value + ", " + total + ", " + takes);
}

// The call of finish_totals (expression_reductions.cuda.cpp) with the totals and what the launch
// has for reductions.
std::string finish(const KernelInfo& kernel, const std::vector<std::string>& totals,
                   PtxCode& code) {
    std::size_t operations = 0;
    for (std::size_t n = 0; n < kernel.reductions.size(); ++n)
        operations |= std::size_t(kernel.reductions[n].operation) << (2 * n);
    std::string text = "    {\n", names;
    int count = 0;
    const auto pass = [&](const char* bits, const char* type, const std::string& value) {
        const std::string name = "argument_" + std::to_string(count++);
        text += std::string("    .param ") + bits + " " + name + ";\n    st.param" + type + " [" +
                name + "], " + value + ";\n";
        names += (names.empty() ? "" : ", ") + name;
    };
    for (int n = 0; n < max_reductions; ++n)
        pass(".b64", ".f64", n < int(totals.size()) ? totals[n] : totals[0]);
    pass(".b32", ".b32", number(totals.size()));
    pass(".b32", ".b32", number(operations));
    constexpr std::size_t at = offsetof(Arguments, reducing);
    for (const std::size_t offset :
         {offsetof(Reducing, partials), offsetof(Reducing, finished), offsetof(Reducing, results)})
        pass(".b64", ".b64",
             code.constant(Register::address, "ld.param.u64", parameter(at + offset)));
    const auto word = [&](std::size_t offset) {
        return code.constant(Register::word, "ld.param.u32", parameter(at + offset));
    };
    pass(".b32", ".b32", word(offsetof(Reducing, sequence)));
    pass(
        ".b64", ".b64",
        code.constant(Register::address, "ld.param.u64", parameter(at + offsetof(Reducing, kept))));
    pass(".b32", ".b32", word(offsetof(Reducing, adds)));
    return text + "    call.uni finish_totals, (" + names + ");\n    }\n";
}

// Stores what the entity gives to each reduction.
void keep_each(const std::string& entity, const std::string& end,
               const std::vector<std::string>& contributions, PtxCode& code) {
    const std::string begin = code.constant(Register::word, "ld.param.u32",
                                            parameter(offsetof(Arguments, begin))),
                      count = code.constant(Register::word, "sub.u32", end + ", " + begin),
                      given = code.constant(
                          Register::address, "ld.param.u64",
                          parameter(offsetof(Arguments, reducing) + offsetof(Reducing, each))),
                      each = code.constant(Register::address, "cvta.to.global.u64", given);
    const std::string place = code.value(Register::word, "sub.u32", entity + ", " + begin);
    for (std::size_t n = 0; n < contributions.size(); ++n) {
        const std::string first = code.constant(Register::address, "mad.wide.u32",
                                                count + ", " + number(8 * n) + ", " + each),
                          to = code.value(Register::address, "mad.wide.u32",
                                          place + ", 8, " + first);
        code.line("st.global.f64 [" + to + "], " + contributions[n]);
    }
}

}  // namespace

std::string expression_ptx(const KernelInfo& kernel, ElementType real, int dimension,
                           bool keeps_each) {
    PtxCode code;
    const Entities of = entities(code);
    const std::string entity = code.constant(Register::word, "mov.u32", of.first);
    std::vector<std::string> totals;
    for (const KernelReduction& r : kernel.reductions)
        totals.push_back(code.constant(Register::number, "mov.f64", identity_of(r.operation)));
    ExpressionBody body(kernel, real, dimension, entity, code);
    body.emit();
    if (keeps_each) cuda::keep_each(entity, of.end, body.contributions(), code);
    for (std::size_t n = 0; n < totals.size() && !keeps_each; ++n)
        add_to(totals[n], body.contributions()[n], kernel.reductions[n].operation, code);
    if (!totals.empty()) {
        code.line("add.u32 " + entity + ", " + entity + ", " + of.step);
        code.line("bra NEXT");
    }
    const bool is_finished = !totals.empty() && !keeps_each;
    const std::string end = is_finished ? finish(kernel, totals, code) : "",
                      over = code.fresh(Register::truth);
    std::string text = header;
    if (body.calls_functions()) text += functions_of(expression_functions_ptx);
    if (is_finished) text += functions_of(expression_reductions_ptx);
    text += std::string(".visible .entry ") + expression_entry +
            "(\n    .param .align 8 .b8 arguments[" + number(sizeof(Arguments)) +
            "]\n)\n.maxntid " + number(group_size) + ", 1, 1\n{\n" + code.declarations() +
            code.setup_lines();
    return text + "NEXT:\n    setp.ge.u32 " + over + ", " + entity + ", " + of.end + ";\n    @" +
           over + " bra DONE;\n" + code.body_lines() + "DONE:\n" + end + "    ret;\n}\n";
}

}  // namespace solenoid::cuda
