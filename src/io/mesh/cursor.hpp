// A position in a file's bytes. Numbers are read as text or as raw values of either byte order,
// never beyond the end; every failure is an InputError with the line (text) or the byte (binary).
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

    // Numbers follow as text (at first), or as binary.
    void read_text() { binary_ = false; }
    void read_binary() { binary_ = true; }
    void swap_bytes() {
        swapped_ = true;
    }  // from now on; the file comes from a machine of the other byte order
    void count_places_in_bytes() { by_byte_ = true; }
    bool binary() const { return binary_; }

    // The next number; `what` is what the message says was expected. An integer has 32 bits, a
    // count 64 (binary).
    std::int64_t integer(const char* what) {
        return binary_ ? raw<std::int32_t>(what) : check_integer(text_integer(what), what);
    }
    std::int64_t count(const char* what) {
        return check_count(binary_ ? raw<std::int64_t>(what) : text_integer(what), what);
    }
    double real(const char* what) {
        return binary_ ? check_finite(raw<double>(what), what) : text_real(what);
    }
    // The same, but text must go on in the same line.
    std::int64_t integer_in_line(const char* what) { return stay_in_line(what), integer(what); }
    std::int64_t count_in_line(const char* what) { return stay_in_line(what), count(what); }
    double real_in_line(const char* what) { return stay_in_line(what), real(what); }
    void end_of_record(const char* record);    // text: nothing but blanks may be left in the line
    void skip_reals(int n, const char* what);  // without looking at their values
    void skip_to_number() {
        if (!binary_) skip_blanks();
    }

    // Text, in any mode.
    std::string_view line();  // the rest of the line, without its end (CR LF or LF); skips the end
    std::string_view word();  // up to the next blank; "" at the end
    bool skip_past_line(std::string_view wanted);  // to behind the next line that is `wanted`;
                                                   // false where there is none
    bool text_follows();                           // in this line, in double quotes
    bool at_end();                                 // only blanks are left
    void skip_blanks();

    // Throws unless `n` items of at least `text_size` or `binary_size` bytes each can still follow.
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

// A word of a file for a message: shortened, and without control characters.
std::string printable(std::string_view word);

}  // namespace solenoid
