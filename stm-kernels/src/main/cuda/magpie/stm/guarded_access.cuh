/// @file
/// What a transaction does to guarded arrays, which know the objects of their data: see guarded.cuh.
///
/// Layer: stm, part of transaction.cuh. `Tx`, which derives from this, gives the operations on a handle and an address, of
/// which those here are made: a datum is moved in words. i < array.size(), or it is undefined (checked builds: fault).
#pragma once

#include "magpie/stm/detail/history.cuh"
#include "magpie/stm/guarded.cuh"

MAGPIE_NAMESPACE_BEGIN

namespace stm {

// A read's place is where the region calls `get`: no function of its own may be around it, as GCC makes of a lambda that is
// the same in several calls.
#define MAGPIE_INLINE_LAMBDA __attribute__((always_inline))

template <class Tx>
class guarded_access {
 public:
  /// Claims what guards datum i. Fails as `open` does.
  template <class T, class Guard, class Layout>
  MAGPIE_INLINE datum<T> open(const guarded<T, Guard, Layout>& array, std::uint64_t i) {
#if MAGPIE_CHECKS_BOUNDS
    static_cast<void>(array.unguarded(i));
#endif
    const handle object = self().open(array.guards, array.guard(i));
    return {object, &array.unguarded(i)};  // behind the claim, which would have to keep it
  }

  /// Reads datum i, as `read` does, and claims first what guards it. Gives what MAGPIE_TRY takes, or turns into a `result`.
  template <class T, class Guard, class Layout>
  MAGPIE_INLINE auto get(const guarded<T, Guard, Layout>& array, std::uint64_t i,
                         std::uint32_t line = __builtin_LINE()) {
    const datum<T> of = open(array, i);
    const std::uint32_t* const word = guard_of(array, i);
    return reading<std::remove_const_t<T>>([this, of, word, line](std::remove_const_t<T>& value) MAGPIE_INLINE_LAMBDA {
      return read_value(of, value, line) && self().will_find(word, of.object);
    });
  }
  /// Reads a datum that was opened.
  template <class T>
  MAGPIE_INLINE auto get(const datum<T>& of, std::uint32_t line = __builtin_LINE()) {
    return reading<std::remove_const_t<T>>([this, of, line](std::remove_const_t<T>& value)
                                               MAGPIE_INLINE_LAMBDA { return read_value(of, value, line); });
  }
  /// Reads one member of datum i, a struct.
  template <class T, class Guard, class Layout, class Member>
  MAGPIE_INLINE auto get(const guarded<T, Guard, Layout>& array, std::uint64_t i,
                         Member std::remove_const_t<T>::*member, std::uint32_t line = __builtin_LINE()) {
    const datum<T> of = open(array, i);
    const std::uint32_t* const word = guard_of(array, i);
    return reading<Member>([this, of, word, member, line](Member& value) MAGPIE_INLINE_LAMBDA {
      return read_member(of, member, value, line) && self().will_find(word, of.object);
    });
  }
  template <class T, class Member>
  MAGPIE_INLINE auto get(const datum<T>& of, Member std::remove_const_t<T>::*member,
                         std::uint32_t line = __builtin_LINE()) {
    return reading<Member>([this, of, member, line](Member& value)
                               MAGPIE_INLINE_LAMBDA { return read_member(of, member, value, line); });
  }

  /// Logs a write of `value` to datum i, as `write` does, and claims first what guards it.
  template <class T, class Guard, class Layout>
  [[nodiscard("wrap it in MAGPIE_TRY, or return outcome::retry where it is false")]] MAGPIE_INLINE bool set(
      const guarded<T, Guard, Layout>& array, std::uint64_t i, std::type_identity_t<T> value,
      std::uint32_t line = __builtin_LINE()) {
    const datum<T> of = open(array, i);
    return set(of, value, line) && self().will_find(guard_of(array, i), of.object);
  }
  /// Logs a write to a datum that was opened.
  template <class T>
  [[nodiscard("wrap it in MAGPIE_TRY, or return outcome::retry where it is false")]] MAGPIE_INLINE bool set(
      const datum<T>& of, std::type_identity_t<T> value, std::uint32_t line = __builtin_LINE()) {
    static_assert(!std::is_const_v<T>, "writes data of a guarded array of const elements");
    return write_value(of.object, of.place, value, line);
  }
  /// Logs a write to one member of datum i, a struct.
  template <class T, class Guard, class Layout, class Member>
  [[nodiscard("wrap it in MAGPIE_TRY, or return outcome::retry where it is false")]] MAGPIE_INLINE bool set(
      const guarded<T, Guard, Layout>& array, std::uint64_t i, Member T::*member, std::type_identity_t<Member> value,
      std::uint32_t line = __builtin_LINE()) {
    const datum<T> of = open(array, i);
    return set(of, member, value, line) && self().will_find(guard_of(array, i), of.object);
  }
  template <class T, class Member>
  [[nodiscard("wrap it in MAGPIE_TRY, or return outcome::retry where it is false")]] MAGPIE_INLINE bool set(
      const datum<T>& of, Member T::*member, std::type_identity_t<Member> value,
      std::uint32_t line = __builtin_LINE()) {
    part_of<T, Member> part(of.place, member);
    if (!part.is_whole() && !read_words(of.object, part.begin, part.words, part.count, line)) return false;
    part.put(value);
    return write_words(of.object, part.begin, part.words, part.count, line);
  }

  /// In `apply` only: reads datum i, whose object this transaction opened, in place.
  template <class T, class Guard, class Layout>
  [[nodiscard]] MAGPIE_INLINE std::remove_const_t<T> load(const guarded<T, Guard, Layout>& array, std::uint64_t i,
                                                          std::uint32_t line = __builtin_LINE()) {
    using value_type = std::remove_const_t<T>;
    using word = word_of_datum<value_type>;
    const auto* const place = reinterpret_cast<const word*>(&array.unguarded(i));
    const handle object = opened_guard(array, i, "loads in apply what no open object guards");
    datum_words<value_type> words;
    load_words(object, place, words.of, words.count, line);
    return __builtin_bit_cast(value_type, words);
  }
  /// In `apply` only: writes datum i, whose object this transaction opened, in place.
  template <class T, class Guard, class Layout>
  MAGPIE_INLINE void store(const guarded<T, Guard, Layout>& array, std::uint64_t i, std::type_identity_t<T> value,
                           std::uint32_t line = __builtin_LINE()) {
    auto* const place = reinterpret_cast<word_of_datum<T>*>(&array.unguarded(i));
    const handle object = opened_guard(array, i, "stores in apply what no open object guards");
    const auto words = __builtin_bit_cast(datum_words<T>, value);
    store_words(object, place, words.of, words.count, line);
  }

  /// In `apply` only: the same of one member of datum i, a struct. A member smaller than a word is stored with the word
  /// around it.
  template <class T, class Guard, class Layout, class Member>
  [[nodiscard]] MAGPIE_INLINE Member load(const guarded<T, Guard, Layout>& array, std::uint64_t i,
                                          Member std::remove_const_t<T>::*member,
                                          std::uint32_t line = __builtin_LINE()) {
    part_of<T, Member> part(&array.unguarded(i), member);
    load_words(opened_guard(array, i, "loads in apply what no open object guards"), part.begin, part.words, part.count,
               line);
    return part.value();
  }
  template <class T, class Guard, class Layout, class Member>
  MAGPIE_INLINE void store(const guarded<T, Guard, Layout>& array, std::uint64_t i, Member T::*member,
                           std::type_identity_t<Member> value, std::uint32_t line = __builtin_LINE()) {
    part_of<T, Member> part(&array.unguarded(i), member);
    const handle object = opened_guard(array, i, "stores in apply what no open object guards");
    if (!part.is_whole()) load_words(object, part.begin, part.words, part.count, line);
    part.put(value);
    store_words(object, part.begin, part.words, part.count, line);
  }

  /// Hints of a datum of one word: see `peek`, `glance` and `leave_hint` above.
  template <class T, class Guard, class Layout>
  [[nodiscard]] MAGPIE_INLINE std::remove_const_t<T> peek(const guarded<T, Guard, Layout>& array, std::uint64_t i,
                                                          std::uint32_t line = __builtin_LINE()) {
    return self().peek(array.guards, array.guard(i), const_cast<const std::remove_const_t<T>*>(&array.unguarded(i)),
                       line);
  }
  template <class T, class Guard, class Layout>
  [[nodiscard]] MAGPIE_INLINE std::remove_const_t<T> glance(const guarded<T, Guard, Layout>& array, std::uint64_t i) {
    may_pass<Layout>();
    return self().glance(const_cast<const std::remove_const_t<T>*>(&array.unguarded(i)));
  }
  /// Hints of a member that is one number. The word around it is read.
  template <class T, class Guard, class Layout, class Member>
  [[nodiscard]] MAGPIE_INLINE Member peek(const guarded<T, Guard, Layout>& array, std::uint64_t i,
                                          Member std::remove_const_t<T>::*member,
                                          std::uint32_t line = __builtin_LINE()) {
    part_of<T, Member> part(&array.unguarded(i), member);
    require_hint<T, Member>();
    part.words[0] = self().peek(array.guards, array.guard(i), as_const(part.begin), line);
    return part.value();
  }
  template <class T, class Guard, class Layout, class Member>
  [[nodiscard]] MAGPIE_INLINE Member glance(const guarded<T, Guard, Layout>& array, std::uint64_t i,
                                            Member std::remove_const_t<T>::*member) {
    may_pass<Layout>();
    part_of<T, Member> part(&array.unguarded(i), member);
    require_hint<T, Member>();
    part.words[0] = self().glance(as_const(part.begin));
    return part.value();
  }
  template <class T, class Guard, class Layout>
  MAGPIE_INLINE void leave_hint(const guarded<T, Guard, Layout>& array, std::uint64_t i,
                                std::type_identity_t<T> value) {
    may_pass<Layout>();
    self().leave_hint(&array.unguarded(i), value);
  }

 private:
  /// Hints are of data that are always there.
  template <class Layout>
  MAGPIE_INLINE static void may_pass() {
    static_assert(!std::is_same_v<Layout, fused>,
                  "the data of fused cells cannot be reached past a transaction: use guarded_cells");
  }

  MAGPIE_INLINE Tx& self() { return static_cast<Tx&>(*this); }
  MAGPIE_INLINE const Tx& self() const { return static_cast<const Tx&>(*this); }

  /// The words of a struct that one of its members lies in.
  template <class T, class Member>
  struct part_of {
    using word = word_of_datum<T>;
    static_assert(datum_type<Member>, "a member of a datum is trivially copyable");
    static constexpr std::uint32_t most = (sizeof(Member) + sizeof(word) - 1) / sizeof(word) + 1;

    MAGPIE_INLINE part_of(T* of, Member std::remove_const_t<T>::*member) {
      const auto from = static_cast<std::uint32_t>(reinterpret_cast<const std::byte*>(&(of->*member)) -
                                                   reinterpret_cast<const std::byte*>(of));
      const std::uint32_t first = from / sizeof(word);
      const std::uint32_t last = (from + sizeof(Member) - 1) / sizeof(word);
      begin = reinterpret_cast<decltype(begin)>(of) + first;
      count = last - first + 1;
      skipped = from % sizeof(word);
    }
    MAGPIE_INLINE bool is_whole() const { return count * sizeof(word) == sizeof(Member); }
    MAGPIE_INLINE Member value() const {
      Member member;
      __builtin_memcpy(&member, reinterpret_cast<const std::byte*>(words) + skipped, sizeof(Member));
      return member;
    }
    MAGPIE_INLINE void put(const Member& member) {
      __builtin_memcpy(reinterpret_cast<std::byte*>(words) + skipped, &member, sizeof(Member));
    }

    std::conditional_t<std::is_const_v<T>, const word, word>* begin;
    word words[most] = {};
    std::uint32_t count;
    std::uint32_t skipped;  ///< bytes of the first word before the member
  };

  template <class Word>
  MAGPIE_INLINE static const Word* as_const(const Word* p) {
    return p;
  }
  /// A member that lies in one word wherever it lies in its struct.
  template <class T, class Member>
  MAGPIE_INLINE static void require_hint() {
    static_assert(sizeof(Member) == alignof(Member) && sizeof(Member) <= sizeof(word_of_datum<T>),
                  "a hint is of a member that is one number of 1, 2, 4 or 8 bytes: glance at each by itself");
  }

  template <class Word>
  MAGPIE_INLINE bool read_words(handle object, const Word* from, Word* into, std::uint32_t n, std::uint32_t line) {
    MAGPIE_UNROLL
    for (std::uint32_t k = 0; k < n; ++k) {
      if (!self().read(object, from + k, into[k], line)) return false;
    }
    return true;
  }
  template <class Word>
  MAGPIE_INLINE void load_words(handle object, const Word* from, Word* into, std::uint32_t n, std::uint32_t line) {
    MAGPIE_UNROLL
    for (std::uint32_t k = 0; k < n; ++k) into[k] = self().load(object, from + k, line);
  }
  template <class Word>
  MAGPIE_INLINE void store_words(handle object, Word* to, const Word* from, std::uint32_t n, std::uint32_t line) {
    MAGPIE_UNROLL
    for (std::uint32_t k = 0; k < n; ++k) self().store(object, to + k, from[k], line);
  }
  template <class Word>
  MAGPIE_INLINE bool write_words(handle object, Word* to, const Word* from, std::uint32_t n, std::uint32_t line) {
    MAGPIE_UNROLL
    for (std::uint32_t k = 0; k < n; ++k) {
      if (!self().write(object, to + k, from[k], line)) return false;
    }
    return true;
  }
  template <class T, class Read>
  MAGPIE_INLINE static read_of_datum<T, Read> reading(const Read& read) {
    return read_of_datum<T, Read>(read);
  }
  /// The tracking word of what guards datum i.
  template <class T, class Guard, class Layout>
  MAGPIE_INLINE const std::uint32_t* guard_of(const guarded<T, Guard, Layout>& array, std::uint64_t i) const {
    return self().guard_at(array.guards, array.guard(i));
  }
  template <class T>
  MAGPIE_INLINE bool read_value(const datum<T>& of, std::remove_const_t<T>& value, std::uint32_t line) {
    using value_type = std::remove_const_t<T>;
    using word = word_of_datum<value_type>;
    const auto* const place = reinterpret_cast<const word*>(of.place);
    if constexpr (sizeof(T) == sizeof(word)) {  // not by an array, which may end up in memory
      word read;
      if (!self().read(of.object, place, read, line)) return false;
      value = __builtin_bit_cast(value_type, read);
    } else {
      datum_words<value_type> words;
      if (!read_words(of.object, place, words.of, words.count, line)) return false;
      value = __builtin_bit_cast(value_type, words);
    }
    return true;
  }
  template <class T, class Member>
  MAGPIE_INLINE bool read_member(const datum<T>& of, Member std::remove_const_t<T>::*member, Member& value,
                                 std::uint32_t line) {
    part_of<T, Member> part(of.place, member);
    if (!read_words(of.object, part.begin, part.words, part.count, line)) return false;
    value = part.value();
    return true;
  }
  template <class T>
  MAGPIE_INLINE bool write_value(handle object, T* to, const T& value, std::uint32_t line) {
    using word = word_of_datum<T>;
    auto* const place = reinterpret_cast<word*>(to);
    if constexpr (sizeof(T) == sizeof(word)) {
      return self().write(object, place, __builtin_bit_cast(word, value), line);
    } else {
      const auto words = __builtin_bit_cast(datum_words<T>, value);
      return write_words(object, place, words.of, words.count, line);
    }
  }

  /// The opened object that guards datum i, where the build wants to know it.
  template <class T, class Guard, class Layout>
  MAGPIE_INLINE handle opened_guard([[maybe_unused]] const guarded<T, Guard, Layout>& array,
                                    [[maybe_unused]] std::uint64_t i, [[maybe_unused]] const char* without) const {
    if constexpr (recording || MAGPIE_CHECKS_BOUNDS) {
      Tx::check_object(array.guards, array.guard(i));
      const handle object = self().find(self().guard_at(array.guards, array.guard(i)));
#if MAGPIE_CHECKS_BOUNDS
      if (!object) misuse_fault(without);
#endif
      return object;
    } else {
      return {};
    }
  }
};

#undef MAGPIE_INLINE_LAMBDA

}  // namespace stm

MAGPIE_NAMESPACE_END
