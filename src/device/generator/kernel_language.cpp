#include "kernel_language.hpp"

#include <algorithm>
#include <cctype>
#include <regex>
#include <set>
#include <sstream>

namespace solenoid::kernel_language {
namespace {

constexpr int max_buffers = 12, max_uniforms = 8, max_reductions = 4;

[[noreturn]] void fail(const std::string& file, int line, const std::string& what) {
    throw SyntaxError(file + ":" + std::to_string(line) + ": " + what);
}

std::string trimmed(const std::string& text) {
    const auto first = text.find_first_not_of(" \t\r");
    if (first == std::string::npos) return "";
    return text.substr(first, text.find_last_not_of(" \t\r") - first + 1);
}

std::vector<std::string> split_arguments(const std::string& text) {
    std::vector<std::string> parts;
    std::istringstream stream(text);
    for (std::string part; std::getline(stream, part, ',');) parts.push_back(trimmed(part));
    return parts;
}

bool is_identifier(const std::string& text) {
    static const std::regex pattern("[A-Za-z_][A-Za-z0-9_]*");
    return std::regex_match(text, pattern);
}

// One declaration: WORD(arguments) // comment.
struct Declaration {
    std::string word;
    std::vector<std::string> arguments;
    int line;
};

// text: a body less its comments and its reads at the entity itself; names: what it may name
// besides its own variables.
bool is_arithmetic(const std::string& text, std::set<std::string> names) {
    static const std::regex local(R"(\breal\s+([A-Za-z_]\w*))"), word(R"(\b[A-Za-z_]\w*)"),
        rest(R"([-+*/=;(),\s0-9u]*)");
    names.insert({"precise", "real", "single", "return", "quotient", "product", "wide"});
    const std::sregex_iterator end;
    for (std::sregex_iterator m(text.begin(), text.end(), local); m != end; ++m)
        names.insert((*m)[1]);
    for (std::sregex_iterator m(text.begin(), text.end(), word); m != end; ++m)
        if (!names.contains(m->str())) return false;
    return std::regex_match(std::regex_replace(text, word, ""), rest);
}

// One number an entity from numbers of the same entity, by arithmetic without branches: the same
// operations for all.
bool is_elementwise(const Kernel& k) {
    std::string text = std::regex_replace(k.body, std::regex("//[^\n]*"), "");
    std::set<std::string> names;
    for (const Argument& a : k.arguments) {
        if ((a.type != "real" && a.type != "single") || !a.columns.empty() || !a.rows.empty())
            return false;
        text = std::regex_replace(text, std::regex("\\b" + a.name + "\\(" + k.index + "\\)"), "0");
        names.insert(a.name + "_new");
    }
    for (const Uniform& u : k.uniforms) {
        if (u.type != "real") return false;
        names.insert(u.name);
    }
    for (const Reduce& r : k.reductions) {
        if (r.operation != "sum") return false;
        names.insert(r.name);
    }
    return is_arithmetic(text, names);
}

// Of an elementwise kernel: other plain loops the compiler turns into vectors itself, as fast or
// faster.
bool has_sums_or_quotients(const Kernel& k) {
    static const std::regex quotient(R"(\bquotient\b)");
    return !k.reductions.empty() || std::regex_search(k.body, quotient);
}

// INCLUDE(name, type) on a line of its own is the text of the file `name` with `type` for TYPE: on
// that one line, so that the lines behind it keep their numbers.
std::string with_includes(const std::string& file, const std::string& text,
                          const Includes& includes) {
    static const std::regex include(R"(\s*INCLUDE\((\w+), (\w+)\)\s*(//.*)?)"), comment("//[^\n]*"),
        type(R"(\bTYPE\b)");
    std::istringstream stream(text);
    std::string result, line;
    for (int number = 1; std::getline(stream, line); ++number) {
        std::smatch match;
        if (std::regex_match(line, match, include)) {
            if (!includes) fail(file, number, "nothing can be included here");
            std::string included = std::regex_replace(includes(match[1]), comment, "");
            included = std::regex_replace(included, type, match[2].str());
            line = std::regex_replace(included, std::regex("\\s+"), " ");
        }
        result += line + "\n";
    }
    return result;
}

class Parser {
  public:
    Parser(const std::string& file, const std::string& text) : file_(file) {
        std::istringstream stream(text);
        for (std::string line; std::getline(stream, line);) lines_.push_back(line);
    }

    Kernel run() {
        std::size_t i = 0;
        for (; i < lines_.size() && !has_body_; ++i) read_line(static_cast<int>(i) + 1);
        if (kernel_.name.empty()) fail(file_, 1, "no KERNEL(name)");
        if (!has_body_)
            fail(file_, static_cast<int>(lines_.size()), "no VALUE(type, i) or UPDATE(i)");
        read_body(i);
        check_names();
        const bool is_padded = std::any_of(kernel_.arguments.begin(), kernel_.arguments.end(),
                                           [](const Argument& a) { return a.is_zero_padded; });
        if (is_padded) check_zero_padded();
        check_row_sums();
        check_indices();
        check_gathering();
        kernel_.takes_eight =
            is_padded || (has_sums_or_quotients(kernel_) && is_elementwise(kernel_));
        return kernel_;
    }

  private:
    void read_line(int number) {
        const std::string text = trimmed(lines_[number - 1]);
        if (text.empty()) return;
        if (text.rfind("//", 0) == 0) {
            if (kernel_.name.empty()) kernel_.comment += text + "\n";
            return;
        }
        static const std::regex line(R"(([A-Z]+\([^()]*\)\s*)+(//.*)?)"),
            declaration(R"(([A-Z]+)\(([^()]*)\))");
        if (!std::regex_match(text, line))
            fail(file_, number, "expected a declaration, found '" + text + "'");
        const std::string code = text.substr(0, text.find("//"));
        for (std::sregex_iterator m(code.begin(), code.end(), declaration), end; m != end; ++m)
            declare({(*m)[1], split_arguments((*m)[2]), number});
    }

    void declare(const Declaration& d) {
        const std::size_t n = d.arguments.size();
        auto expect = [&](bool ok, const char* form) {
            if (!ok) fail(file_, d.line, std::string("expected ") + form);
        };
        if (d.word == "KERNEL") {
            expect(n == 1 && kernel_.name.empty(), "one KERNEL(name)");
            kernel_.name = kernel_.file = d.arguments[0];
        } else if (d.word == "IN") {
            expect(n == 2 || n == 3, "IN(type, name) or IN(type, name, columns or rows)");
            add_argument("in", d, n == 3 ? d.arguments[2] : "");
        } else if (d.word == "TABLE") {
            expect(n == 2 || n == 3, "TABLE(type, name) or TABLE(type, name, columns)");
            add_argument("in", d, n == 3 ? d.arguments[2] : "");
            kernel_.arguments.back().is_table = true;
        } else if (d.word == "GATHER") {
            static const std::set<std::string> entities{"cells",  "faces", "edges",   "nodes",
                                                        "codim2", "rows",  "entities"};
            expect(n == 4 && entities.contains(d.arguments[2]) &&
                       (d.arguments[3] == "closure" || d.arguments[3] == "halo"),
                   "GATHER(type, name, entities, reach), entities cells, faces, edges, nodes, "
                   "codim2, rows or entities, reach closure or halo");
            add_argument("in", d, "");
            kernel_.arguments.back().entities = d.arguments[2];
            kernel_.arguments.back().reach = d.arguments[3];
        } else if (d.word == "OUT" || d.word == "INOUT") {
            expect(n == 2, "OUT(type, name) or INOUT(type, name)");
            add_argument(d.word == "OUT" ? "out" : "inout", d, "");
        } else if (d.word == "ROWS") {
            expect(n == 1 || (n == 2 && d.arguments[1] == "zero_padded"),
                   "ROWS(name) or ROWS(name, zero_padded)");
            kernel_.arguments.push_back({"in", "uint", d.arguments[0], "", "", true, n == 2});
        } else if (d.word == "UNIFORM") {
            expect(n == 2 && (d.arguments[0] == "uint" || d.arguments[0] == "real"),
                   "UNIFORM(uint or real, name)");
            kernel_.uniforms.push_back({d.arguments[0], d.arguments[1]});
        } else if (d.word == "REDUCE") {
            expect((n == 2 && (d.arguments[0] == "sum" || d.arguments[0] == "min" ||
                               d.arguments[0] == "max")) ||
                       (n == 3 && d.arguments[0] == "sum" &&
                        (d.arguments[2] == "vec" || d.arguments[2] == "real")),
                   "REDUCE(sum, min or max, name) or REDUCE(sum, name, quantity)");
            if (n == 3 && d.arguments[2] == "vec")
                add_sums(d.arguments[1]);
            else
                kernel_.reductions.push_back({d.arguments[0], d.arguments[1]});
        } else if (d.word == "VALUE") {
            expect(n == 2, "VALUE(type, i)");
            kernel_.returns_value = has_body_ = true;
            kernel_.value_type = d.arguments[0];
            kernel_.index = d.arguments[1];
            kernel_.arguments.push_back({"out", d.arguments[0], "value", "", "", false});
            check_type(d.line, d.arguments[0]);
        } else if (d.word == "UPDATE") {
            expect(n == 1, "UPDATE(i)");
            has_body_ = true;
            kernel_.index = d.arguments[0];
        } else {
            fail(file_, d.line, "unknown declaration " + d.word);
        }
    }

    void check_type(int line, const std::string& type) {
        if (type != "uint" && type != "real" && type != "vec" && type != "single" &&
            type != "reduced")
            fail(file_, line, "unknown type '" + type + "'");
    }

    void add_argument(const std::string& access, const Declaration& d, const std::string& shape) {
        check_type(d.line, d.arguments[0]);
        if (d.arguments[0] == "reduced" && access != "in")
            fail(file_, d.line, "what is 'reduced' is read alone");
        Argument argument{access, d.arguments[0], d.arguments[1], "", "", false};
        const auto is_table = [&](const Argument& a) { return a.is_row_table && a.name == shape; };
        if (std::any_of(kernel_.arguments.begin(), kernel_.arguments.end(), is_table))
            argument.rows = shape;
        else if (shape == "or_one")
            argument.or_one = argument.type == "vec";
        else
            argument.columns = shape;
        if (!argument.columns.empty() && std::islower(static_cast<unsigned char>(shape[0])))
            fail(file_, d.line, "'" + shape + "' is no ROWS of this kernel");
        kernel_.arguments.push_back(argument);
    }

    // A sum of each component.
    void add_sums(const std::string& name) {
        sums_of_vectors_.push_back(name);
        for (int k = 0; k < 3; ++k)
            kernel_.reductions.push_back({"sum", name + "_" + std::to_string(k), k});
    }

    // NAME = product(a, b) of vectors: of each component. In 2D what is no component is the last
    // one again.
    void split_sums() {
        for (const std::string& name : sums_of_vectors_) {
            const std::regex assignment("\\b" + name + R"(\s*=\s*product\((\w+),\s*(\w+)\);)");
            if (!std::regex_search(kernel_.body, assignment))
                fail(file_, kernel_.body_line,
                     "expected '" + name + " = product(a, b);' of two vectors");
            std::string each;
            for (int k = 0; k < 3; ++k) {
                const std::string number = std::to_string(k), at = k < 2 ? number : "DIMENSION - 1";
                each += (k ? " " : "") + name + "_" + number + " = product($1[" + at + "], $2[" +
                        at + "]);";
            }
            kernel_.body = std::regex_replace(kernel_.body, assignment, each);
        }
    }

    void read_body(std::size_t first) {
        while (first < lines_.size() && trimmed(lines_[first]).empty()) ++first;
        if (first == lines_.size() || trimmed(lines_[first]) != "{")
            fail(file_, static_cast<int>(first) + 1, "expected '{' alone on its line");
        std::size_t last = lines_.size();
        while (last > first && trimmed(lines_[last - 1]).empty()) --last;
        if (trimmed(lines_[last - 1]) != "}")
            fail(file_, static_cast<int>(last), "expected '}' as the last line");
        kernel_.body_line = static_cast<int>(first) + 2;
        for (std::size_t i = first + 1; i + 1 < last; ++i) kernel_.body += lines_[i] + "\n";
        split_sums();
        static const std::regex words(R"(\b(vec|DIMENSION|[A-Z0-9]+_PER_[A-Z]+)\b)");
        kernel_.needs_dimension = std::regex_search(kernel_.body, words);
        for (const Argument& a : kernel_.arguments)
            kernel_.needs_dimension |= a.type == "vec" || std::regex_search(a.columns, words);
    }

    void check_names() {
        std::set<std::string> seen;
        auto add = [&](const std::string& name) {
            if (!is_identifier(name)) fail(file_, 1, "'" + name + "' is no name");
            if (!seen.insert(name).second) fail(file_, 1, "'" + name + "' is declared twice");
        };
        for (const Argument& a : kernel_.arguments) add(a.name);
        for (const Uniform& u : kernel_.uniforms) add(u.name);
        for (const Reduce& r : kernel_.reductions) add(r.name);
        if (kernel_.arguments.size() > max_buffers) fail(file_, 1, "more than 12 buffers");
        if (kernel_.uniforms.size() > max_uniforms) fail(file_, 1, "more than 8 uniforms");
        if (kernel_.reductions.size() > max_reductions) fail(file_, 1, "more than 4 reductions");
        if (kernel_.name + ".glsl" != file_)
            fail(file_, 1, "KERNEL(" + kernel_.name + ") belongs in " + kernel_.name + ".glsl");
    }

    // Indices that are no constants: NVIDIA's OpenGL does not index vectors of doubles by
    // variables.
    void check_indices() {
        static const std::regex index(R"((^|\n)([^/\n]|/(?!/))*\[(?!\d|DIMENSION))");
        if (std::regex_search(kernel_.body, index))
            fail(file_, kernel_.body_line,
                 "no [ ]: component_of(v, i) reads a component, with_component(v, i, x) sets it");
    }

    // IN is read at the kernel's own entity, GATHER at others too.
    void check_gathering() {
        const std::string body = std::regex_replace(kernel_.body, std::regex("//[^\n]*"), "");
        for (const Argument& a : kernel_.arguments) {
            if (a.is_row_table || a.is_table || a.type == "uint" || a.access == "out") continue;
            const std::regex use("\\b" + a.name + R"(\(\s*)"), own(kernel_.index + R"(\s*[,)].*)");
            bool is_gathered = false;
            for (std::sregex_iterator m(body.begin(), body.end(), use), end; m != end; ++m) {
                const std::string rest = m->suffix();
                is_gathered |= !std::regex_match(rest.substr(0, rest.find('\n')), own);
            }
            if (is_gathered && a.entities.empty())
                fail(file_, kernel_.body_line,
                     "'" + a.name + "' is read at another entity than " + kernel_.index +
                         ": declare it GATHER, or TABLE where it is no field");
            if (!is_gathered && !a.entities.empty())
                fail(file_, kernel_.body_line,
                     "'" + a.name + "' is read at " + kernel_.index + " alone: declare it IN");
        }
    }

    // On GPUs the invocations of a row meet where it is added up.
    void check_row_sums() {
        const std::size_t sum = kernel_.body.find("ADD_ROW");
        kernel_.adds_rows = sum != std::string::npos;
        static const std::regex branch(R"(\b(return|if|for|while)\b)");
        if (kernel_.adds_rows && std::regex_search(kernel_.body.substr(0, sum), branch))
            fail(file_, kernel_.body_line,
                 "ADD_ROW stands behind a branch, a loop or a return: all invocations must reach "
                 "it");
    }

    // Eight rows are computed at once, by operations that are alike for all of them.
    void check_zero_padded() {
        static const std::regex branch(
            R"(\b(if|while|min|max|abs|sqrt|exp|log|pow|entity_of|orientation_of)\b|\?)");
        if (std::regex_search(kernel_.body, branch))
            fail(file_, kernel_.body_line,
                 "no branches, min, max, abs, sqrt, exp, log or pow where rows are zero_padded");
        for (Argument& a : kernel_.arguments) a.is_near = a.type == "uint" && !a.rows.empty();
        for (const Argument& a : kernel_.arguments)
            if (!a.columns.empty() || a.is_row_table != a.is_zero_padded)
                fail(file_, 1, "neither columns nor other rows where rows are zero_padded");
        for (const Reduce& r : kernel_.reductions)
            if (r.operation != "sum") fail(file_, 1, "sums alone where rows are zero_padded");
    }

    std::string file_;
    std::vector<std::string> lines_;
    Kernel kernel_;
    std::vector<std::string> sums_of_vectors_;
    bool has_body_ = false;
};

}  // namespace

std::vector<Kernel> parse(const std::string& file, const std::string& whole,
                          const Includes& includes) {
    static const std::regex quantity(R"(\bquantity\b)");
    const std::string text = with_includes(file, whole, includes);
    if (!std::regex_search(text, quantity)) return {Parser(file, text).run()};
    Kernel scalar = Parser(file, std::regex_replace(text, quantity, "real")).run();
    scalar.name = "scalar_" + scalar.name;
    Kernel vectors = Parser(file, std::regex_replace(text, quantity, "vec")).run();
    vectors.takes_one = !scalar.needs_dimension;
    return {vectors, scalar};
}

bool calls_functions(const Kernel& kernel) {
    static const std::regex call(R"(\b(exp|log|pow)\s*\()");
    return std::regex_search(kernel.body, call);
}

std::string type_name(const std::string& kernel_name) {
    std::string result;
    bool upper = true;
    for (char c : kernel_name) {
        if (c == '_') {
            upper = true;
        } else {
            result += upper ? static_cast<char>(std::toupper(static_cast<unsigned char>(c))) : c;
            upper = false;
        }
    }
    return result;
}

}  // namespace solenoid::kernel_language
