#include "ptx_module.hpp"

#include <algorithm>
#include <cctype>
#include <set>
#include <stdexcept>

namespace solenoid::test::ptx {
namespace {

[[noreturn]] void refuse(const std::string& what, const std::string& text) {
    throw std::runtime_error("PTX: " + what + ": '" + text + "'");
}

bool is_of_name(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '$' || c == '%' ||
           c == '.';
}

std::vector<std::string> split(const std::string& text, char at) {
    std::vector<std::string> parts(1);
    for (const char c : text) {
        if (c == at)
            parts.emplace_back();
        else
            parts.back() += c;
    }
    return parts;
}

// Words, numbers and signs, without blanks and comments.
std::vector<std::string> tokens_of(const std::string& text) {
    std::vector<std::string> tokens;
    for (std::size_t at = 0; at < text.size();) {
        if (std::isspace(static_cast<unsigned char>(text[at]))) {
            ++at;
        } else if (text.compare(at, 2, "//") == 0) {
            at = std::min(text.size(), text.find('\n', at));
        } else if (text[at] == '"') {
            const std::size_t end = text.find('"', at + 1);
            tokens.push_back(text.substr(at, end + 1 - at));
            at = end + 1;
        } else if (is_of_name(text[at])) {
            const std::size_t begin = at;
            while (at < text.size() && is_of_name(text[at])) ++at;
            tokens.push_back(text.substr(begin, at - begin));
        } else {
            tokens.emplace_back(1, text[at++]);
        }
    }
    return tokens;
}

unsigned bytes_of(const std::string& type) {
    if (type.size() < 2 || type == "pred") refuse("no type of memory", type);
    return static_cast<unsigned>(std::stoul(type.substr(1))) / 8;
}

}  // namespace

class ModuleReader {
  public:
    ModuleReader(Module& module, const std::string& text)
        : module_(module), tokens_(tokens_of(text)) {}
    void read();

  private:
    struct Variable {
        int place = 0;
        unsigned bytes = 0;
    };
    struct Call {
        std::size_t function, instruction;
        std::string name;
    };

    bool has(const std::string& token) const {
        return at_ < tokens_.size() && tokens_[at_] == token;
    }
    bool take(const std::string& token) { return has(token) && ++at_; }
    std::string next() {
        return at_ < tokens_.size() ? tokens_[at_++]
                                    : throw std::runtime_error("PTX: ends within a statement");
    }
    void expect(const std::string& token) {
        if (!take(token)) refuse("'" + token + "' was expected", statement());
    }
    std::string statement() const;
    void skip_statement() {
        while (next() != ";") {
        }
    }

    Variable variable(std::map<std::string, Variable>& variables, int& room);
    void parameters(std::vector<int>& slots, std::vector<int>* sizes);
    void function(bool is_entry);
    void body();
    void instruction();
    void operation(Instruction& i, const std::vector<std::string>& parts);
    void memory(Instruction& i, const std::vector<std::string>& parts);
    void call(Instruction& i);
    void special(Instruction& i, const std::string& name);
    Operand operand();
    Operand address(Space space);
    int result();
    int place_of(const std::string& name) {
        return registers_.emplace(name, static_cast<int>(registers_.size())).first->second;
    }
    std::vector<int> list_of_parameters();

    Module& module_;
    std::vector<std::string> tokens_;
    std::size_t at_ = 0;
    Function* function_ = nullptr;
    std::map<std::string, int> registers_, labels_;
    std::map<std::string, Variable> parameters_, shared_;
    std::vector<std::pair<std::size_t, std::string>> branches_;
    std::vector<Call> calls_;
};

std::string ModuleReader::statement() const {
    std::size_t begin = std::min(at_, tokens_.size());
    while (begin > 0 && tokens_[begin - 1] != ";" && tokens_[begin - 1] != "{" &&
           tokens_[begin - 1] != ":")
        --begin;
    std::string text;
    for (std::size_t n = begin; n < tokens_.size() && n < begin + 30 && tokens_[n] != ";"; ++n)
        text += (text.empty() ? "" : " ") + tokens_[n];
    return text;
}

void ModuleReader::read() {
    while (at_ < tokens_.size()) {
        const std::string token = next();
        if (token == ".version" || token == ".address_size")
            next();
        else if (token == ".target")
            module_.target_ = std::stoi(next().substr(3));
        else if (token == ".visible" || token == ".weak" || token == ".extern")
            continue;
        else if (token == ".entry" || token == ".func")
            function(token == ".entry");
        else if (token == ".shared") {
            int room = static_cast<int>(module_.shared_bytes_);
            variable(shared_, room);
            module_.shared_bytes_ = static_cast<unsigned>(room);
            expect(";");
        } else
            refuse("not known outside of functions", token);
    }
    for (const Call& c : calls_) {
        Instruction& i = module_.functions_[c.function].code[c.instruction];
        for (std::size_t n = 0; n < module_.functions_.size(); ++n)
            if (module_.functions_[n].name == c.name) i.function = static_cast<int>(n);
        if (i.function < 0) refuse("no function of that name", c.name);
        const Function& called = module_.functions_[i.function];
        if (called.parameters.size() != i.passed.size() ||
            called.results.size() != i.returned.size())
            refuse("other parameters than its function's", i.text);
    }
}

// ".align 8 .b8 name[40]" or ".u32 name": a place in the room.
ModuleReader::Variable ModuleReader::variable(std::map<std::string, Variable>& variables,
                                              int& room) {
    if (take(".align")) next();
    unsigned bytes = bytes_of(next().substr(1));
    const std::string name = next();
    if (take("[")) {
        bytes *= static_cast<unsigned>(std::stoul(next()));
        expect("]");
    }
    const auto [found, is_new] = variables.emplace(name, Variable{room, bytes});
    if (is_new) room += static_cast<int>((bytes + 7) / 8 * 8);
    return found->second;
}

void ModuleReader::parameters(std::vector<int>& slots, std::vector<int>* sizes) {
    expect("(");
    while (!take(")")) {
        take(",");
        if (take(")")) return;
        expect(".param");
        const Variable v = variable(parameters_, function_->parameter_bytes);
        slots.push_back(v.place);
        if (sizes) sizes->push_back(static_cast<int>(v.bytes));
    }
}

void ModuleReader::function(bool is_entry) {
    module_.functions_.emplace_back();
    function_ = &module_.functions_.back();
    function_->is_entry = is_entry;
    registers_.clear();
    labels_.clear();
    parameters_.clear();
    branches_.clear();
    if (has("(")) parameters(function_->results, nullptr);
    function_->name = next();
    if (has("(")) parameters(function_->parameters, &function_->sizes);
    while (!has("{") && !has(";")) next();  // .maxntid 256, 1, 1
    if (take(";")) {                        // declared only
        module_.functions_.pop_back();
        return;
    }
    expect("{");
    body();
    for (const auto& [number, label] : branches_) {
        if (!labels_.contains(label)) refuse("no such label in " + function_->name, label);
        function_->code[number].target = labels_[label];
    }
    function_->registers = static_cast<int>(registers_.size());
}

void ModuleReader::body() {
    for (int depth = 1; depth > 0;) {
        if (take("{"))
            ++depth;
        else if (take("}"))
            --depth;
        else if (at_ + 1 < tokens_.size() && tokens_[at_ + 1] == ":") {
            labels_[next()] = static_cast<int>(function_->code.size());
            expect(":");
        } else if (take(".reg") || take(".pragma"))
            skip_statement();
        else if (take(".param")) {
            variable(parameters_, function_->parameter_bytes);
            expect(";");
        } else if (take(".shared")) {
            int room = static_cast<int>(module_.shared_bytes_);
            variable(shared_, room);
            module_.shared_bytes_ = static_cast<unsigned>(room);
            expect(";");
        } else
            instruction();
    }
    function_->code.emplace_back();
    function_->code.back().kind = Kind::leave;
}

void ModuleReader::instruction() {
    Instruction i;
    i.text = statement();
    if (take("@")) {
        i.is_guard_inverted = take("!");
        i.guard = place_of(next());
    }
    operation(i, split(next(), '.'));
    if (!take(";")) refuse("not known", i.text);
    function_->code.push_back(i);
}

Operand ModuleReader::operand() {
    const bool is_negative = take("-");
    const std::string word = next();
    if (word[0] == '%') return {place_of(word), 0};
    if (word.starts_with("0d") || word.starts_with("0f"))
        return {-1, std::stoull(word.substr(2), nullptr, 16)};
    if (std::isdigit(static_cast<unsigned char>(word[0])))
        return {-1, is_negative ? -std::stoull(word) : std::stoull(word, nullptr, 0)};
    if (shared_.contains(word)) return {-1, static_cast<Bits>(shared_[word].place)};
    if (parameters_.contains(word)) return {-1, static_cast<Bits>(parameters_[word].place)};
    refuse("no such variable", word);
}

int ModuleReader::result() {
    const std::string word = next();
    if (word[0] != '%') refuse("no register", statement());
    return place_of(word);
}

// "[%rd1+-8]", "[name+16]": the bits are what is added.
Operand ModuleReader::address(Space space) {
    expect("[");
    Operand of = operand();
    if (of.place < 0 && space == Space::global)
        refuse("the address of a variable that is not global", statement());
    if (take("+")) of.bits += operand().bits;
    expect("]");
    return of;
}

void ModuleReader::special(Instruction& i, const std::string& name) {
    static const std::map<std::string, Special> names{{"%tid.x", Special::thread},
                                                      {"%ctaid.x", Special::block},
                                                      {"%nctaid.x", Special::blocks},
                                                      {"%ntid.x", Special::threads},
                                                      {"%laneid", Special::lane}};
    i.kind = Kind::special;
    i.special = names.at(name);
}

void ModuleReader::operation(Instruction& i, const std::vector<std::string>& parts) {
    static const std::map<std::string, Scope> scopes{
        {"cta", Scope::block}, {"gl", Scope::gpu}, {"gpu", Scope::gpu}, {"sys", Scope::system}};
    static const std::set<std::string> specials{"%tid.x", "%ctaid.x", "%nctaid.x", "%ntid.x",
                                                "%laneid"};
    std::string name = parts[0];
    for (std::size_t n = 1; n < parts.size(); ++n) name += "." + parts[n];
    if (parts[0] == "ld" || parts[0] == "st" || parts[0] == "atom" || parts[0] == "red")
        return memory(i, parts);
    if (parts[0] == "membar" || parts[0] == "fence") {
        i.kind = Kind::fence;
        if (!scopes.contains(parts.back()) ||
            (parts[0] == "fence" && parts[1] != "acq_rel" && parts[1] != "sc"))
            refuse("not known", name);
        i.scope = scopes.at(parts.back());
        i.is_sequential = parts[0] == "membar" || parts[1] == "sc";
    } else if (name == "bar.sync" || name == "barrier.sync") {
        i.kind = Kind::block_barrier;
        if (next() != "0" || has(","))
            refuse("only barrier 0 of all threads is known", statement());
    } else if (name == "bar.warp.sync" || name == "shfl.sync.bfly.b32") {
        i.kind = parts[0] == "bar" ? Kind::warp_barrier : Kind::shuffle;
        if (i.kind == Kind::shuffle) i.results[0] = result(), expect(",");
        do i.operands[i.count++] = operand();
        while (i.count < 4 && take(","));
    } else if (parts[0] == "activemask") {
        i.kind = Kind::active_mask;
        i.results[0] = result();
    } else if (parts[0] == "bra") {
        i.kind = Kind::branch;
        branches_.emplace_back(function_->code.size(), next());
    } else if (parts[0] == "ret" || parts[0] == "exit") {
        i.kind = Kind::leave;
    } else if (parts[0] == "call") {
        call(i);
    } else {
        i.results[0] = result();
        expect(",");
        if (specials.contains(tokens_[at_])) return special(i, next());
        const auto found = computations().find(name);
        if (found == computations().end()) refuse("not known", i.text);
        i.compute = found->second;
        do i.operands[i.count++] = operand();
        while (i.count < 3 && take(","));
    }
}

void ModuleReader::memory(Instruction& i, const std::vector<std::string>& parts) {
    static const std::map<std::string, Scope> scopes{
        {"cta", Scope::block}, {"gpu", Scope::gpu}, {"sys", Scope::system}};
    static const std::map<std::string, Space> spaces{
        {"param", Space::param}, {"global", Space::global}, {"shared", Space::shared}};
    const bool is_load = parts[0] == "ld", is_store = parts[0] == "st";
    i.kind = is_load ? Kind::load : is_store ? Kind::store : Kind::add;
    i.space = Space::generic;
    int elements = 1;
    bool adds = false;
    for (std::size_t n = 1; n + 1 < parts.size(); ++n) {
        const std::string& part = parts[n];
        if (spaces.contains(part))
            i.space = spaces.at(part);
        else if (scopes.contains(part))
            i.scope = scopes.at(part);
        else if (part == "v2" || part == "v4")
            elements = part[1] - '0';
        else if (part == "volatile" || part == "relaxed" || part == "acquire" ||
                 part == "release" || part == "acq_rel") {
            i.is_strong = true;
            i.acquires = part.starts_with("acq");
            i.releases = part == "release" || part == "acq_rel";
            if (part == "volatile") i.scope = Scope::system;
        } else if (part == "add" && i.kind == Kind::add)
            adds = true;
        else if (part != "weak")
            refuse("not known", i.text);
    }
    const std::string& type = parts.back();
    if (i.kind == Kind::add && (!adds || (type != "u32" && type != "u64" && type != "s32")))
        refuse("not known", i.text);
    if (is_load && type[0] == 's' && type != "s64")
        refuse("loads that extend a sign are not known", i.text);
    i.bytes = bytes_of(type);
    const bool is_vector = elements > 1, has_result = is_load || parts[0] == "atom";
    const auto elements_of = [&] {
        if (is_vector) expect("{");
        for (i.count = 0; i.count < elements; ++i.count) {
            if (i.count > 0) expect(",");
            if (is_load)
                i.results[i.count] = result();
            else
                i.operands[i.count] = operand();
        }
        if (is_vector) expect("}");
    };
    if (is_load)
        elements_of(), expect(",");
    else if (has_result)
        i.results[0] = result(), expect(",");
    i.address = address(i.space);
    if (!is_load) expect(","), elements_of();
}

std::vector<int> ModuleReader::list_of_parameters() {
    std::vector<int> slots;
    expect("(");
    while (!take(")")) {
        take(",");
        const std::string name = next();
        if (!parameters_.contains(name)) refuse("no such parameter", name);
        slots.push_back(parameters_[name].place);
    }
    return slots;
}

void ModuleReader::call(Instruction& i) {
    i.kind = Kind::call;
    if (has("(")) i.returned = list_of_parameters(), expect(",");
    calls_.push_back({module_.functions_.size() - 1, function_->code.size(), next()});
    if (take(",")) i.passed = list_of_parameters();
}

Module::Module(const std::string& text) { ModuleReader(*this, text).read(); }

int Module::entry(const std::string& name) const {
    for (std::size_t n = 0; n < functions_.size(); ++n)
        if (functions_[n].is_entry && functions_[n].name == name) return static_cast<int>(n);
    throw std::runtime_error("PTX: no entry " + name);
}

}  // namespace solenoid::test::ptx
