#include "io/checkpoint/checkpoint_header.hpp"

#include <fmt/format.h>

#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <nlohmann/json.hpp>
#include <set>

#include "core/error.hpp"
#include "core/plain_text.hpp"
#include "io/checkpoint/checksum.hpp"

namespace solenoid {

static_assert(std::endian::native == std::endian::little, "files are little-endian");

namespace {

using Json = nlohmann::json;  // finds a key among many
using OrderedJson = nlohmann::ordered_json;

constexpr std::array<unsigned char, 16> magic{0x89, 'S',  'O',  'L',  'E',  'N', 'O', 'I',
                                              'D',  '\r', '\n', 0x1a, '\n', 0,   0,   0};
constexpr const char* kinds[] = {"numbers", "nodes", "edges", "faces", "cells"};
constexpr const char* types[] = {"float64", "float32", "int64", "text"};
constexpr int most_columns = 1 << 20;
// Of the header's lists and tables: a value takes far more memory than its text.
constexpr int most_depth = 8, most_values = 100'000;

template <class T>
void store(std::array<std::byte, CheckpointPreamble::size>& bytes, std::size_t at, T value) {
    std::memcpy(bytes.data() + at, &value, sizeof value);
}
template <class T>
T loaded(std::span<const std::byte> bytes, std::size_t at) {
    T value;
    std::memcpy(&value, bytes.data() + at, sizeof value);
    return value;
}

// ---- JSON, read with checks

class HeaderFault : public std::runtime_error {
    using std::runtime_error::runtime_error;
};

const Json& member(const Json& json, const char* key) {
    const auto found = json.is_object() ? json.find(key) : json.end();
    if (!json.is_object() || found == json.end())
        throw HeaderFault(fmt::format("it has no \"{}\"", key));
    return *found;
}

// Before the header is parsed: how deep it is, and how many values it has.
void check_size(const std::string& text) {
    int depth = 0, values = 0;
    bool is_in_string = false;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (is_in_string) {
            if (c == '\\') ++i;
            is_in_string = c != '"';
        } else if (c == '"') {
            is_in_string = true;
        } else if (c == '[' || c == '{' || c == ',') {
            if (c != ',' && ++depth > most_depth) throw HeaderFault("it is nested too deeply");
            if (++values > most_values) throw HeaderFault("it has too many values");
        } else if (c == ']' || c == '}') {
            --depth;
        }
    }
}

std::string text_at(const Json& json, const char* key) {
    const Json& value = member(json, key);
    if (!value.is_string()) throw HeaderFault(fmt::format("\"{}\" is no text", key));
    return value.get<std::string>();
}

std::int64_t integer_at(const Json& json, const char* key, std::int64_t low, std::int64_t high) {
    const Json& value = member(json, key);
    const bool is_known = value.is_number_unsigned()
                              ? value.get<std::uint64_t>() <= static_cast<std::uint64_t>(high)
                              : value.is_number_integer();
    if (!is_known || value.get<std::int64_t>() < low || value.get<std::int64_t>() > high)
        throw HeaderFault(fmt::format("\"{}\" is no whole number from {} to {}", key, low, high));
    return value.get<std::int64_t>();
}

template <std::size_t n>
int choice_at(const Json& json, const char* key, const char* const (&names)[n]) {
    const std::string text = text_at(json, key);
    for (std::size_t i = 0; i < n; ++i)
        if (text == names[i]) return static_cast<int>(i);
    throw HeaderFault(fmt::format("\"{}\" is not known: \"{}\"", key, text));
}

constexpr std::int64_t any_number = std::numeric_limits<std::int64_t>::max();

OrderedJson array_json(const CheckpointArray& array) {
    OrderedJson json{{"name", array.name},          {"of", name_of(array.of)},
                     {"type", name_of(array.type)}, {"columns", array.columns},
                     {"count", array.count},        {"offset", array.offset}};
    if (array.numbers >= 0) json["numbers"] = array.numbers;
    if (!array.belongs_to.empty()) json["belongs_to"] = array.belongs_to;
    return json;
}

// Whether `count` values of `size` bytes from `offset` on lie between the preamble and `end`.
bool lies_before(std::int64_t end, std::int64_t offset, std::int64_t count, std::int64_t size) {
    return offset >= std::int64_t(CheckpointPreamble::size) && offset <= end &&
           count <= (end - offset) / size;
}

CheckpointArray parse_array(const Json& json, const CheckpointHeader& header, std::int64_t end) {
    CheckpointArray array;
    array.name = text_at(json, "name");
    if (array.name.empty()) throw HeaderFault("an array has no name");
    try {
        array.of = static_cast<StateArray::Of>(choice_at(json, "of", kinds));
        array.type = static_cast<CheckpointType>(choice_at(json, "type", types));
        array.columns = static_cast<int>(integer_at(json, "columns", 1, most_columns));
        array.count = integer_at(json, "count", 0, any_number);
        array.offset = integer_at(json, "offset", 0, any_number);
        if (json.contains("numbers")) array.numbers = integer_at(json, "numbers", 0, any_number);
        if (json.contains("belongs_to")) array.belongs_to = text_at(json, "belongs_to");
        const auto value_bytes =
            static_cast<std::int64_t>(size_of(array.type)) * std::int64_t(array.columns);
        if (!lies_before(end, array.offset, array.count, value_bytes) ||
            (array.numbers >= 0 && !lies_before(end, array.numbers, array.count, 8)))
            throw HeaderFault("its values lie outside of the file");
        if (array.type == CheckpointType::text &&
            (array.columns != 1 || array.of != StateArray::Of::numbers))
            throw HeaderFault("a text has one column and is of no entities");
        if (array.of == StateArray::Of::numbers) {
            if (array.numbers >= 0) throw HeaderFault("numbers are of no entities");
        } else {
            const std::int64_t all = header.count[static_cast<int>(array.of) - 1];
            if (array.numbers >= 0 ? array.count > all : array.count != all)
                throw HeaderFault(fmt::format("it has {} values in a column, the mesh {} {}",
                                              array.count, all, name_of(array.of)));
        }
    } catch (const HeaderFault& fault) {
        throw HeaderFault(fmt::format("array \"{}\": {}", array.name, fault.what()));
    }
    return array;
}

// ---- texts that are not UTF-8, such as paths: %XX stands for a byte

std::string with_percents(const std::string& text) {
    std::string encoded;
    for (const char c : text) {
        if (c > ' ' && c < 0x7f && c != '%')
            encoded += c;
        else
            encoded += fmt::format("%{:02x}", static_cast<unsigned char>(c));
    }
    return encoded;
}

std::string without_percents(const std::string& encoded) {
    std::string text;
    for (std::size_t i = 0; i < encoded.size(); ++i) {
        if (encoded[i] != '%') {
            text += encoded[i];
            continue;
        }
        const std::string digits = encoded.substr(i + 1, 2);
        if (digits.size() != 2 || digits.find_first_not_of("0123456789abcdef") != std::string::npos)
            throw HeaderFault("a % without two hexadecimal digits behind it");
        text += static_cast<char>(std::stoi(digits, nullptr, 16));
        i += 2;
    }
    return text;
}

CheckpointHeader parse_run(const Json& json) {
    CheckpointHeader header;
    header.version = text_at(json, "version");
    header.case_text = text_at(json, "case");
    header.physics = text_at(json, "physics");
    header.precision = text_at(json, "precision");
    header.ranks = static_cast<int>(integer_at(json, "ranks", 1, std::numeric_limits<int>::max()));
    header.step = integer_at(json, "step", 0, any_number);
    if (!member(json, "time").is_number()) throw HeaderFault("\"time\" is no number");
    header.time = member(json, "time").get<double>();
    const Json& mesh = member(json, "mesh");
    header.dimension = static_cast<int>(integer_at(mesh, "dimension", 2, 3));
    for (int k = 0; k < 4; ++k) header.count[k] = integer_at(mesh, kinds[k + 1], 0, any_number);
    const std::string hash = text_at(mesh, "hash");
    if (hash.size() != 16 || hash.find_first_not_of("0123456789abcdef") != std::string::npos)
        throw HeaderFault("\"hash\" is not 16 hexadecimal digits");
    header.mesh_hash = std::stoull(hash, nullptr, 16);
    const Json& more = member(json, "more");
    if (!more.is_object()) throw HeaderFault("\"more\" is no table");
    for (const auto& [key, value] : more.items()) header.more[key] = text_at(more, key.c_str());
    if (!json.contains("more_in_percents")) return header;
    const Json& encoded = member(json, "more_in_percents");
    if (!encoded.is_object()) throw HeaderFault("\"more_in_percents\" is no table");
    for (const auto& [key, value] : encoded.items())
        header.more[key] = without_percents(text_at(encoded, key.c_str()));
    return header;
}

}  // namespace

const char* name_of(CheckpointType type) { return types[static_cast<int>(type)]; }
const char* name_of(StateArray::Of of) { return kinds[static_cast<int>(of)]; }

CheckpointType type_of(const StateArray& array) {
    return static_cast<CheckpointType>(array.values.index());
}

std::size_t size_of(CheckpointType type) {
    return type == CheckpointType::text ? 1 : type == CheckpointType::float32 ? 4 : 8;
}

std::array<std::byte, CheckpointPreamble::size> CheckpointPreamble::encoded() const {
    std::array<std::byte, size> bytes{};
    std::memcpy(bytes.data(), magic.data(), magic.size());
    store(bytes, 16, known_format);
    store(bytes, 20, block_bytes);
    store(bytes, 24, file_bytes);
    store(bytes, 32, header_offset);
    store(bytes, 40, header_bytes);
    store(bytes, 48, header_checksum);
    store(bytes, 52, table_checksum);
    store(bytes, 60, checksum(std::span(bytes).first(60)));
    return bytes;
}

CheckpointPreamble CheckpointPreamble::decoded(std::span<const std::byte> bytes,
                                               std::int64_t file_bytes,
                                               const std::filesystem::path& file) {
    const auto refuse = [&](const std::string& why) { throw InputError(file.string(), why); };
    const std::size_t begun = std::min(bytes.size(), magic.size());
    if (begun > 0 && std::memcmp(bytes.data(), magic.data(), begun) != 0)
        refuse("no checkpoint: its first bytes are others");
    if (bytes.size() < size)
        refuse(fmt::format("a checkpoint cut short: it has {} bytes", bytes.size()));
    if (const auto format = loaded<std::uint32_t>(bytes, 16); format != known_format)
        refuse(fmt::format("a checkpoint of format {}; this program reads format {}", format,
                           known_format));
    if (checksum(bytes.first(60)) != loaded<std::uint32_t>(bytes, 60))
        refuse("a damaged checkpoint: its first 64 bytes do not have their checksum");
    CheckpointPreamble p;
    p.block_bytes = loaded<std::uint32_t>(bytes, 20);
    p.file_bytes = loaded<std::int64_t>(bytes, 24);
    p.header_offset = loaded<std::int64_t>(bytes, 32);
    p.header_bytes = loaded<std::int64_t>(bytes, 40);
    p.header_checksum = loaded<std::uint32_t>(bytes, 48);
    p.table_checksum = loaded<std::uint32_t>(bytes, 52);
    if (p.file_bytes != file_bytes)
        refuse(fmt::format("a checkpoint {}: it has {} bytes of {}",
                           file_bytes < p.file_bytes ? "cut short" : "with bytes behind its end",
                           file_bytes, p.file_bytes));
    if (p.block_bytes < 1 || p.block_bytes > most_block_bytes ||
        p.header_offset < std::int64_t(size) || p.header_offset > file_bytes ||
        p.header_bytes < 0 || p.header_bytes > most_header_bytes ||
        p.header_bytes > file_bytes - p.header_offset ||
        p.blocks() != (file_bytes - p.table_offset()) / 4 ||
        (file_bytes - p.table_offset()) % 4 != 0)
        refuse("a damaged checkpoint: its lengths contradict each other");
    return p;
}

std::string header_text(const CheckpointHeader& header,
                        const std::vector<CheckpointArray>& arrays) {
    if (!std::isfinite(header.time)) throw std::logic_error("a checkpoint's time is not finite");
    OrderedJson json{{"program", "solenoid"},     {"version", header.version},
                     {"physics", header.physics}, {"precision", header.precision},
                     {"ranks", header.ranks},     {"step", header.step},
                     {"time", header.time}};
    OrderedJson& mesh = json["mesh"] = {{"dimension", header.dimension}};
    for (int k = 0; k < 4; ++k) mesh[kinds[k + 1]] = header.count[k];
    mesh["hash"] = fmt::format("{:016x}", header.mesh_hash);
    json["case"] = header.case_text;
    OrderedJson more = OrderedJson::object(), encoded = OrderedJson::object();
    for (const auto& [key, value] : header.more)
        if (is_utf8(value))
            more[key] = value;
        else
            encoded[key] = with_percents(value);
    json["more"] = std::move(more);
    if (!encoded.empty()) json["more_in_percents"] = std::move(encoded);
    OrderedJson& list = json["arrays"] = OrderedJson::array();
    for (const CheckpointArray& array : arrays) list.push_back(array_json(array));
    std::string text = json.dump(1) + "\n";
    if (text.size() > static_cast<std::size_t>(CheckpointPreamble::most_header_bytes))
        throw ComputationError(fmt::format(
            "a checkpoint's header with the case file has {} bytes; at most {} are allowed",
            text.size(), CheckpointPreamble::most_header_bytes));
    return text;
}

ParsedHeader parse_header(const std::string& text, std::int64_t header_offset,
                          const std::filesystem::path& file) {
    try {
        check_size(text);
        const Json json = Json::parse(text);
        ParsedHeader parsed{parse_run(json), {}};
        std::set<std::string> names;
        const Json& arrays = member(json, "arrays");
        if (!arrays.is_array()) throw HeaderFault("\"arrays\" is no list");
        for (const Json& array : arrays) {
            parsed.arrays.push_back(parse_array(array, parsed.header, header_offset));
            if (!names.insert(parsed.arrays.back().name).second)
                throw HeaderFault(
                    fmt::format("array \"{}\" stands there twice", parsed.arrays.back().name));
        }
        return parsed;
    } catch (const HeaderFault& fault) {
        throw InputError(file.string(), fmt::format("a checkpoint's header: {}", fault.what()));
    } catch (const nlohmann::json::exception& error) {
        throw InputError(file.string(),
                         fmt::format("a checkpoint's header is no JSON: {}", error.what()));
    }
}

}  // namespace solenoid
