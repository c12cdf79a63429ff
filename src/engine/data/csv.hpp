#pragma once

#include <algorithm>
#include <array>
#include <string>
#include <utility>
#include <vector>

namespace bayesrisk {

// CSV text as lines, one for each record: a row, or the header. A line end within quotes belongs to
// its field.
struct CsvBlock {
  std::size_t size = 0;       // of the text: whole records, without blank lines
  std::vector<int> lines;     // the line in which each of them begins, from 1
  bool masked = false;        // whether it has masks
  std::size_t used = 0;       // the bytes of whole records
  int records = 0, ends = 0;  // with blank ones; their line ends
  std::string problem;        // "byte", "quote", "fields", "open", or none
  int line = 1, fields = 1;   // where it is, or the last quote; of the last record
};

// Bytes for a line feed, a return and a doubled quote within quotes.
constexpr char kCsvMasks[] = "\x10\x11\x12";

class CsvSplitter {
 public:
  // `separators`: all that are possible. `white`: whether white space may stand before a quote.
  // `columns`: the fields of a record, or 0.
  CsvSplitter(const std::string& separators, const std::string& quote, bool white, int columns)
      : white_(white), columns_(columns) {
    for (const unsigned char c : separators) separates_[c] = true;
    if (!quote.empty()) quote_ = static_cast<unsigned char>(quote[0]);
    is_blank_['\r'] = true;
    is_blank_['\t'] = !separates_['\t'];
    is_blank_[' '] = separators != " ";
  }

  // `text`: room for `size` bytes and one more. `last`: whether the text ends here.
  CsvBlock split(const unsigned char* byte, std::size_t size, bool last, unsigned char* text) {
    const unsigned char* end = byte + size;
    text_ = text;
    refuse(0, byte, end);
    for (const unsigned char* at = byte; at != end && block_.problem.empty(); ++at) {
      if (place_ == kQuoted) {
        const bool twice = *at == quote_ && at + 1 != end && at[1] == quote_;
        add_quoted(*at, twice);
        at += twice;
      } else if (*at == '\n') {
        end_record(static_cast<std::size_t>(at - byte) + 1);
      } else {
        add(*at);
      }
    }
    if (last && block_.used < size && block_.problem.empty()) {
      place_ == kQuoted ? stop("open", block_.line) : end_record(size);
    }
    if (block_.masked) {
      for (const char* mask = kCsvMasks; *mask; ++mask) refuse(*mask, byte, end);
    }
    return std::move(block_);
  }

 private:
  void put(int c) { text_[to_++] = static_cast<unsigned char>(c); }

  void add_quoted(unsigned char c, bool twice) {
    if (c == '\n') ++now_;
    if (c == quote_ && !twice) {
      place_ = kClosed;
      return put(c);
    }
    const bool mask = twice || c == '\n' || c == '\r';
    block_.masked = block_.masked || mask;
    put(mask ? kCsvMasks[twice ? 2 : c == '\r'] : c);
  }

  void add(unsigned char c) {
    const bool white = c == ' ' || c == '\t';
    if (separates_[c]) {
      ++block_.fields;
      place_ = kStart;
    } else if (place_ == kStart && c == quote_) {
      block_.line = now_;
      place_ = kQuoted;
    } else if (place_ == kStart && !(white && white_)) {
      place_ = kPlain;
    } else if (place_ == kClosed && columns_ > 0 && !white && c != '\r') {
      stop("quote", now_);
    }
    blank_ = blank_ && is_blank_[c];
    put(c);
  }

  void end_record(std::size_t used) {
    if (!blank_ && columns_ > 0 && block_.fields != columns_) return stop("fields", first_);
    if (!blank_) {
      put('\n');
      block_.lines.push_back(first_);
      block_.size = to_;
    }
    to_ = block_.size;
    block_.used = used;
    block_.ends = now_++;
    first_ = now_;
    ++block_.records;
    block_.fields = 1;
    blank_ = true;
    place_ = kStart;
  }

  void refuse(int c, const unsigned char* byte, const unsigned char* end) {
    const unsigned char* at = std::find(byte, end, c);
    if (at != end) stop("byte", 1 + static_cast<int>(std::count(byte, at, '\n')));
  }

  void stop(const char* problem, int line) {
    block_.problem = problem;
    block_.line = line;
  }

  enum { kStart, kPlain, kQuoted, kClosed } place_ = kStart;
  bool white_, blank_ = true;
  int columns_, quote_ = -1;
  std::array<bool, 256> separates_{}, is_blank_{};
  CsvBlock block_;
  unsigned char* text_ = nullptr;
  std::size_t to_ = 0;       // where the next byte goes
  int now_ = 1, first_ = 1;  // this line, and the one in which the record begins
};

}  // namespace bayesrisk
