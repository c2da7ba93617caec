// A read position in the bytes of a file. Numbers are read as text or as binary values of either
// byte order, never beyond the end. Errors are InputErrors with the line (text) or byte (binary).
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

namespace solenoid {

class Cursor {
  public:
    Cursor(std::string file, std::string_view bytes) : file_(std::move(file)), bytes_(bytes) {}

    // Sets the format of the following numbers; text at first.
    void read_text() { binary_ = false; }
    void read_binary() { binary_ = true; }
    // From now on binary numbers have the other byte order.
    void swap_bytes() { swapped_ = true; }
    void count_places_in_bytes() { by_byte_ = true; }
    bool binary() const { return binary_; }

    // The next number. what: its description in messages. Integers have 32 bits, counts 64
    // (binary).
    std::int64_t integer(const char* what) {
        return binary_ ? raw<std::int32_t>(what) : check_integer(text_integer(what), what);
    }
    std::int64_t count(const char* what) {
        return check_count(binary_ ? raw<std::int64_t>(what) : text_integer(what), what);
    }
    double real(const char* what) {
        return binary_ ? check_finite(raw<double>(what), what) : text_real(what);
    }
    // The next number; as text it must be on the present line.
    std::int64_t integer_in_line(const char* what) { return stay_in_line(what), integer(what); }
    std::int64_t count_in_line(const char* what) { return stay_in_line(what), count(what); }
    double real_in_line(const char* what) { return stay_in_line(what), real(what); }
    void end_of_record(const char* record);    // text: the rest of the line must be blank
    void skip_reals(int n, const char* what);  // without checking their values
    void skip_to_number() {
        if (!binary_) skip_blanks();
    }

    // Text, for either format of numbers. line(): the rest of the line without its end (CR LF or
    // LF), which is skipped.
    std::string_view line();
    std::string_view word();  // up to the next blank; "" at the end of the file
    // Moves behind the next line that equals `wanted`; false where there is none.
    bool skip_past_line(std::string_view wanted);
    bool text_follows();  // in this line, in double quotes
    bool at_end();        // only blanks remain
    void skip_blanks();

    // Throws unless `n` items of at least `text_size` or `binary_size` bytes each fit into the rest
    // of the file.
    void require(std::int64_t n, std::size_t text_size, std::size_t binary_size,
                 const char* what) const;

    std::size_t position() const { return position_; }
    void move_to(std::size_t position) { position_ = position; }
    std::string place() const { return place(position_); }
    std::string place(std::size_t position) const;
    const std::string& file() const { return file_; }
    [[noreturn]] void fail(const std::string& message) const { fail_at(position_, message); }
    [[noreturn]] void fail_at(std::size_t position, const std::string& message) const;

  private:
    template <class T>
    T raw(const char* what) {
        if (bytes_.size() - position_ < sizeof(T)) fail_missing(what);
        unsigned char value[sizeof(T)];
        std::memcpy(value, bytes_.data() + position_, sizeof(T));
        if (swapped_)
            for (std::size_t i = 0; i < sizeof(T) / 2; ++i)
                std::swap(value[i], value[sizeof(T) - 1 - i]);
        position_ += sizeof(T);
        return std::bit_cast<T>(value);
    }
    std::int64_t text_integer(const char* what);
    double text_real(const char* what);
    double check_finite(double value, const char* what) const;
    std::int64_t check_integer(std::int64_t value, const char* what) const {
        if (value != static_cast<std::int32_t>(value)) fail_integer(value, what);
        return value;
    }
    std::int64_t check_count(std::int64_t value, const char* what) const {
        if (value < 0) fail_count(value, what);
        return value;
    }
    void stay_in_line(const char* what);
    [[noreturn]] void fail_missing(const char* what) const;
    [[noreturn]] void fail_integer(std::int64_t value, const char* what) const;
    [[noreturn]] void fail_count(std::int64_t value, const char* what) const;
    [[noreturn]] void fail_word(const char* expected, const char* what) const;

    std::string file_;
    std::string_view bytes_;
    std::size_t position_ = 0;
    bool binary_ = false;
    bool swapped_ = false;
    bool by_byte_ = false;
};

// A word of a file for messages: shortened, without control characters.
std::string printable(std::string_view word);

}  // namespace solenoid
