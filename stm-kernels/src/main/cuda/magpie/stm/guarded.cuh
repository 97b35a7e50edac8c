/// @file
/// Guarded arrays: data that know which object stands for each of them, so that a transaction cannot reach a datum under
/// the wrong object, or under none, by mistake.
///
/// Layer: stm, used by transaction.cuh. A region's field `guarded<T, Guard>` takes two arguments, `<field>.data`, the array,
/// and `<field>.guards`, the objects: datum i belongs to object `Guard{}(i)`, by default to object i. Several guarded
/// arrays may have the same objects, such as the fields of a vertex.
///
///     magpie::stm::guarded<std::int32_t> balance;
///     ...
///     const std::int32_t x = MAGPIE_TRY(tx.get(balance, from));   // opens what guards it, and reads
///     MAGPIE_TRY(tx.set(balance, from, x - amount));
///
/// Data are trivially copyable, of 1 to 64 bytes. A transaction moves them in words: as many bytes as T is aligned to, 8 at
/// most. A datum of several words is read and written word by word, which no other transaction sees; each word written
/// takes a place in the region's `max_writes`. So a struct of four floats takes four places, and one with `alignas(8)` two.
/// Of a struct, `tx.get(array, i, &T::member)` reads a member alone, and `tx.set` writes it, as `tx.load` and `tx.store` do in
/// `apply`; a member smaller than a word is written with the word around it. `tx.glance` and `tx.peek` take a member that is
/// one number.
///
/// Of a `guarded_matrix<T, Guard>`, with a third argument `<field>.columns`, the rows belong to objects: row i to object
/// `Guard{}(i)`. `m.row(i)` is a guarded array of the data of row i, all of which belong to that object:
///
///     magpie::stm::guarded_matrix<float> features;
///     ...
///     const float x = MAGPIE_TRY(tx.get(features.row(vertex), column));
///
/// What a guarded array does not give is a way past the transaction that looks like an ordinary access: neither it nor
/// its `data` can be indexed. `tx.glance` and `tx.peek` read hints; `unguarded(i)` is the datum itself, for `seek`, for hooks, and for
/// kernels that run when no transaction does.
///
/// `MAGPIE_TRY` takes what an operation of an attempt gives and yields its value; if the attempt failed it returns
/// `outcome::retry` from the function around it, which returns an `outcome` or a `result`. It is an expression. (Of the two
/// forms tried, this one and values that become 0 when the attempt has failed, only this one keeps a region from going on
/// with a state that never was.)
///
/// A third parameter says where the tracking words of the objects are. `apart`, the default: in an array of their own, which
/// other arrays may share. `beside`: in one place with the data, for short `guarded_cells<T>`. Datum i then belongs to object
/// i, and a cell is that object's tracking word with the datum behind it, in as many bytes as the next power of 2 (`cell<T>`):
/// 8 for a datum of 4 bytes, 16 for one of 8 or 12. Both arguments come from one allocation, a `GuardedCells` of the facade. In
/// a cell of up to 32 bytes a transaction finds word and datum in one sector of memory: meant for data that are in no cache. Where
/// the data alone would fit into one, they may not with the words between them. Transactions do the same in both layouts. Policies that have versions apart
/// (`pr_stm`, `optimistic_hand_off`) do not take cells.
///
/// `fused`: the same with the datum, of 4 bytes, and the word above it in one place of 8 bytes that changes at once, for short
/// `fused_cells<T>`; in the facade `Device.fusedCells`. Under `hand_off` a transaction then has the datum from the step that takes
/// the object, and the step that frees the object writes it (detail/fused_cells.cuh): half as many accesses to memory. In return
/// - the region declares `static constexpr bool opens_fused_cells = true`, opens fused cells only, and writes, by `tx.write` and
///   `tx.set`, data of 4 bytes only, and has no irrevocable attempts (else: compile-time errors);
/// - a locked cell has no datum in memory, so that none can be read past a transaction: `tx.glance`, `tx.peek` and
///   `tx.leave_hint` refuse fused cells, and `unguarded` is for kernels that run when no transaction does. A pointer into a cell is
///   for `tx.read`, `tx.write`, `tx.load` and `tx.store` alone, of the whole datum and through the handle of that cell, or it is
///   undefined (checked builds: fault);
/// - of cells that a fault left locked the data are lost, and read as 0.
/// Under other policies, and in traces, a fused cell is a word with a datum next to it.
///
/// Cost: that of `read` and `write` through a handle. By index, `get` and `set` compare their object with those already opened, as
/// `open` does; in regions of up to 4 objects only the first access to an object does, as the compiler sees. `tx.open(array, i)`
/// gives the datum itself, whose `get` and `set` need no look.
#pragma once

#include <bit>

#include "magpie/stm/detail/mutants.cuh"
#include "magpie/stm/detail/objects.cuh"

MAGPIE_NAMESPACE_BEGIN

namespace stm {

/// An object that the transaction opened; false if it could not.
struct handle {
  static constexpr std::uint32_t none = ~0u;
  std::uint32_t place = none;
#if MAGPIE_CHECKS_BOUNDS
  const std::uint32_t* word = nullptr;  ///< of the object, which another one may have followed at that place
#endif
  MAGPIE_INLINE explicit operator bool() const { return place != none; }
};

/// What an operation gave, unless the attempt failed: then it is false and has no value. A function that fails returns
/// an `outcome`, whichever, in place of one.
template <class T>
class [[nodiscard]] result {
 public:
  MAGPIE_INLINE result(const T& value)
      : value_(value), is_there_(true) {}                        // NOLINT: implicit, so that values are returned
  MAGPIE_INLINE result(outcome) : value_{}, is_there_(false) {}  // NOLINT: implicit, for MAGPIE_TRY

  MAGPIE_INLINE explicit operator bool() const { return is_there_; }
  /// The value; T{} if there is none.
  MAGPIE_INLINE const T& operator*() const { return value_; }

 private:
  T value_;
  bool is_there_;
};

template <class Given>
class tried;

#define MAGPIE_READ_IS_TRIED                                                                                   \
  "what tx.get gives is taken where it is called, by MAGPIE_TRY(tx.get(array, i)); to see whether it failed, " \
  "give the variable a type: magpie::stm::result<T> x = tx.get(array, i)"

/// What `tx.get` gives: a read that MAGPIE_TRY makes, or that is made as it becomes a `result`. It has to be one of the two at
/// once, so that it is made where it stands. (A `result` of its own, which keeps whether there is a value, would cost a region:
/// compilers join the paths of what failed and what did not where it is made, and part them again where it is tried.)
template <class T, class Read>
class [[nodiscard]] read_of_datum {
 public:
  MAGPIE_INLINE explicit read_of_datum(const Read& read) : read_(read) {}
  read_of_datum(const read_of_datum&) = delete;
  read_of_datum& operator=(const read_of_datum&) = delete;

  MAGPIE_INLINE operator result<T>() && {  // NOLINT: implicit, so that it is returned as one
    T value;
    if (!read_(value)) return outcome::retry;
    return value;
  }
  /// Say what to write in place of a variable that is tried later.
  template <class Bool>
  requires std::is_same_v<Bool, bool> MAGPIE_INLINE explicit operator Bool() const& {
    static_assert(sizeof(Bool) == 0, MAGPIE_READ_IS_TRIED);
    return false;
  }
  template <class Self = read_of_datum>
  MAGPIE_INLINE T operator*() const {
    static_assert(sizeof(Self) == 0, MAGPIE_READ_IS_TRIED);
    return {};
  }

 private:
  template <class>
  friend class tried;

  Read read_;
};

#undef MAGPIE_READ_IS_TRIED

/// As many as an array has at most.
inline constexpr std::uint32_t most_data_per_object = 0x7fff'ffff;

/// Datum i belongs to object i.
struct same_index {
  static constexpr std::uint32_t data_per_object = 1;
  MAGPIE_INLINE std::uint32_t operator()(std::uint64_t index) const { return static_cast<std::uint32_t>(index); }
};
/// Data `N * i` to `N * i + N - 1` belong to object i.
template <std::uint32_t N>
struct blocks_of {
  static constexpr std::uint32_t data_per_object = N;
  MAGPIE_INLINE std::uint32_t operator()(std::uint64_t index) const { return static_cast<std::uint32_t>(index / N); }
};

/// All data belong to the only object there is.
struct one_object {
  static constexpr std::uint32_t data_per_object = most_data_per_object;
  MAGPIE_INLINE std::uint32_t operator()(std::uint64_t) const { return 0; }
};

/// All data of a row belong to the last object in reach, which is the only one but for mutants; see guarded_matrix.
struct object_of_row {
  MAGPIE_INLINE std::uint32_t operator()(std::uint64_t) const { return 0; }
};

/// What transactions may read and write.
inline constexpr std::uint32_t most_datum_bytes = 64;
template <class T>
concept datum_type = std::is_trivially_copyable_v<T> && sizeof(T) <= most_datum_bytes;

/// How many data an object stands for; 0: its guard does not say. A launch from Java with too few objects is refused by it.
template <class Guard>
inline constexpr std::uint32_t data_per_object_of = 0;
template <class Guard>
  requires requires { Guard::data_per_object; }
inline constexpr std::uint32_t data_per_object_of<Guard> = Guard::data_per_object;

/// Layouts of guarded arrays. See the file's comment.
struct apart {};
struct beside {};
struct fused {};

/// Where in a cell the tracking word and a datum of type T are: the word at its beginning, at `offset` the datum. In a fused
/// cell the datum is at its beginning, and the word above it.
template <class T, class Layout = beside>
struct cell {
  static constexpr std::uint32_t word_offset = 0;
  static constexpr std::uint32_t offset = alignof(T) > sizeof(std::uint32_t) ? alignof(T) : sizeof(std::uint32_t);
  static constexpr std::uint32_t bytes = std::bit_ceil(offset + static_cast<std::uint32_t>(sizeof(T)));
};

template <class T>
struct cell<T, fused> {
  static constexpr std::uint32_t word_offset = 4, offset = 0, bytes = 8;
};

/// The data of a guarded array: a field that an array is given for, which only the guarded array itself indexes.
template <class Array>
class guarded_data {
  using element = std::remove_pointer_t<decltype(Array::data)>;

 public:
  guarded_data() = default;
  MAGPIE_HOST_DEVICE constexpr guarded_data(element* data, std::uint64_t length) : array_{data, length} {}
  /// Of an array, such as `host::buffer::view()` gives. Of nothing else that turns into one: what lists the fields of a struct
  /// tries each with a value that turns into anything.
  template <class T>
  requires std::is_convertible_v<array<T>, Array> MAGPIE_HOST_DEVICE constexpr guarded_data(const array<T>& array)
      : array_(array) {}

  MAGPIE_HOST_DEVICE MAGPIE_INLINE std::uint64_t size() const { return array_.size(); }
  /// Says what to write in place of an index.
  template <class Index>
  MAGPIE_INLINE element& operator[](Index) const {
    static_assert(
        sizeof(Index) == 0,
        "the data of a guarded array are reached by tx.get(array, i); array.unguarded(i) is the datum past all "
        "transactions");
    return array_[0];
  }

 private:
  template <class, class, class>
  friend struct guarded;
  template <class, class>
  friend struct guarded_matrix;

  Array array_;
};

/// An array with the objects that its data belong to. See the file's comment.
template <class T, class Guard = same_index, class Layout = apart>
struct guarded {
  static_assert(std::is_same_v<Layout, apart>, "the layout of a guarded array is apart or, for same_index, beside");
  static_assert(datum_type<std::remove_const_t<T>>,
                "data of transactions are trivially copyable and have at most 64 bytes");
  static_assert(std::is_empty_v<Guard>, "a guard says by its type alone which object an index belongs to");
  static_assert(data_per_object_of<Guard> <= most_data_per_object,
                "data_per_object of a guard is at most 0x7fffffff, as many as an array has at most");

  static constexpr std::uint32_t data_per_object = data_per_object_of<Guard>;

  guarded_data<array<T>> data;
  objects guards;  ///< last: the module's table says how many data each stands for

  /// The object that stands for datum `index`.
  MAGPIE_INLINE std::uint32_t guard([[maybe_unused]] std::uint64_t index) const {
    if constexpr (has_mutants && std::is_same_v<Guard, object_of_row>) {
      return guards.count - 1;
    } else {
      return Guard{}(index);
    }
  }
  MAGPIE_HOST_DEVICE MAGPIE_INLINE std::uint64_t size() const { return data.size(); }
  /// The datum itself, past any transaction.
  MAGPIE_INLINE T& unguarded(std::uint64_t index) const { return data.array_[index]; }
  /// All data as an array, likewise: for kernels that run when no transaction does.
  MAGPIE_INLINE array<T> unguarded() const { return data.array_; }
  /// Says what to write in place of an index.
  template <class Index>
  MAGPIE_INLINE T& operator[](Index) const {
    static_assert(sizeof(Index) == 0,
                  "a guarded array is reached by tx.get(array, i); unguarded(i) is the datum past all transactions");
    return data.array_[0];
  }
};

/// The same with each datum next to its object's word.
template <class T>
struct guarded<T, same_index, beside> {
  static_assert(datum_type<std::remove_const_t<T>>,
                "data of transactions are trivially copyable and have at most 64 bytes");
  static_assert(alignof(T) <= 8, "data in cells are aligned to at most 8 bytes");

  static constexpr std::uint32_t data_per_object = 1;

  guarded_data<spaced_array<T, cell<T>::bytes, cell<T>::offset>> data;
  spaced_objects<cell<T>::bytes> guards;

  MAGPIE_INLINE std::uint32_t guard(std::uint64_t index) const { return static_cast<std::uint32_t>(index); }
  MAGPIE_HOST_DEVICE MAGPIE_INLINE std::uint64_t size() const { return data.size(); }
  MAGPIE_INLINE T& unguarded(std::uint64_t index) const { return data.array_[index]; }
  MAGPIE_INLINE spaced_array<T, cell<T>::bytes, cell<T>::offset> unguarded() const { return data.array_; }
  template <class Index>
  MAGPIE_INLINE T& operator[](Index) const {
    static_assert(sizeof(Index) == 0,
                  "a guarded array is reached by tx.get(array, i); unguarded(i) is the datum past all transactions");
    return data.array_[0];
  }
};
template <class T>
using guarded_cells = guarded<T, same_index, beside>;

/// The same with each datum and its object's word in one place of 8 bytes that changes at once.
template <class T>
struct guarded<T, same_index, fused> {
  static_assert(std::is_trivially_copyable_v<T> && sizeof(T) == 4 && alignof(T) == 4,
                "data in fused cells are trivially copyable, have 4 bytes and are aligned to 4: use guarded_cells");

  static constexpr std::uint32_t data_per_object = 1;
  using layout = cell<T, fused>;

  guarded_data<spaced_array<T, layout::bytes, layout::offset>> data;
  spaced_objects<layout::bytes, true> guards;

  MAGPIE_INLINE std::uint32_t guard(std::uint64_t index) const { return static_cast<std::uint32_t>(index); }
  MAGPIE_HOST_DEVICE MAGPIE_INLINE std::uint64_t size() const { return data.size(); }
  MAGPIE_INLINE T& unguarded(std::uint64_t index) const { return data.array_[index]; }
  MAGPIE_INLINE spaced_array<T, layout::bytes, layout::offset> unguarded() const { return data.array_; }
  template <class Index>
  MAGPIE_INLINE T& operator[](Index) const {
    static_assert(sizeof(Index) == 0,
                  "a guarded array is reached by tx.get(array, i); unguarded(i) is the datum past all transactions");
    return data.array_[0];
  }
};
template <class T>
using fused_cells = guarded<T, same_index, fused>;

/// An array in rows, like `matrix`, with the objects that its rows belong to. See the file's comment.
template <class T, class Guard = same_index>
struct guarded_matrix {
  static_assert(std::is_empty_v<Guard>, "a guard says by its type alone which object a row belongs to");
  static_assert(data_per_object_of<Guard> <= most_data_per_object,
                "data_per_object of a guard is at most 0x7fffffff, as many as an array has at most");

  static constexpr std::uint32_t data_per_object = data_per_object_of<Guard>;

  guarded_data<array<T>> data;
  std::uint32_t columns;
  objects guards;  ///< last: the module's table says how many rows each stands for

  MAGPIE_HOST_DEVICE MAGPIE_INLINE std::uint64_t rows() const { return columns == 0 ? 0 : data.size() / columns; }
  /// The data of row `index` < rows(), all of which belong to its object; else undefined (checked builds: fault).
  MAGPIE_INLINE guarded<T, object_of_row> row(std::uint64_t index) const {
    const std::uint32_t object = Guard{}(index);
#if MAGPIE_CHECKS_BOUNDS
    if (index >= rows()) bounds_fault(index, 0, rows(), columns, data.array_.data);
    if (object >= guards.count) bounds_fault(object, guards.count, guards.words);
#endif
    // For mutants, the object before it is in reach as well.
    const std::uint32_t before = has_mutants && object != 0 ? 1 : 0;
    return {{data.array_.data + index * columns, columns}, {guards.words + object - before, 1 + before, guards.policy}};
  }
  /// Says what to write in place of a row's index, and of a row and a column.
  template <class Row, class... Column>
  MAGPIE_INLINE T& operator()(Row, Column...) const {
    static_assert(
        sizeof(Row) == 0,
        "a guarded matrix is reached by tx.get(m.row(i), column); m.row(i).unguarded(column) is the datum past "
        "all transactions");
    return data.array_.data[0];
  }
  template <class Row>
  MAGPIE_INLINE T* operator[](Row) const {
    static_assert(sizeof(Row) == 0,
                  "the rows of a guarded matrix are m.row(i), and their data tx.get(m.row(i), column)");
    return data.array_.data;
  }
};

/// A datum whose object the transaction opened; false if it could not.
template <class T>
struct [[nodiscard]] datum {
  handle object;
  T* place;
  MAGPIE_INLINE explicit operator bool() const { return static_cast<bool>(object); }
};

/// The unsigned integer of so many bytes.
template <std::size_t Bytes>
using unsigned_of = std::conditional_t<
    Bytes == 8, std::uint64_t,
    std::conditional_t<Bytes == 4, std::uint32_t, std::conditional_t<Bytes == 2, std::uint16_t, std::uint8_t>>>;

/// What a transaction moves data of type T in.
template <class T>
using word_of_datum = unsigned_of<(alignof(T) < 8 ? alignof(T) : 8)>;

/// T as words.
template <class T>
struct datum_words {
  using word = word_of_datum<T>;
  static constexpr std::uint32_t count = sizeof(T) / sizeof(word);
  word of[count];
};

/// For MAGPIE_TRY: what an operation gave, and the value behind it, once it was found that it did not fail.
template <class Given>
class tried {
 public:
  MAGPIE_INLINE explicit tried(const Given& given) : given_(given) {}
  MAGPIE_INLINE explicit operator bool() { return static_cast<bool>(given_); }
  MAGPIE_INLINE auto value() const {
    if constexpr (!std::is_same_v<Given, bool>) return given_;
  }

 private:
  const Given& given_;
};
template <class T>
class tried<result<T>> {
 public:
  MAGPIE_INLINE explicit tried(const result<T>& given) : given_(given) {}
  MAGPIE_INLINE explicit operator bool() { return static_cast<bool>(given_); }
  MAGPIE_INLINE T value() const { return *given_; }

 private:
  const result<T>& given_;
};
template <class T, class Read>
class tried<read_of_datum<T, Read>> {
 public:
  MAGPIE_INLINE explicit tried(const read_of_datum<T, Read>& given) : given_(given) {}
  MAGPIE_INLINE explicit operator bool() { return given_.read_(value_); }
  MAGPIE_INLINE T value() const { return value_; }

 private:
  const read_of_datum<T, Read>& given_;
  T value_;
};

/// Whether MAGPIE_TRY takes it.
template <class T>
inline constexpr bool may_be_tried = std::is_same_v<T, bool> || std::is_same_v<T, handle>;
template <class T>
inline constexpr bool may_be_tried<result<T>> = true;
template <class T, class Read>
inline constexpr bool may_be_tried<read_of_datum<T, Read>> = true;
template <class T>
inline constexpr bool may_be_tried<datum<T>> = true;

/// Whether a function of this signature, as compilers spell it, may return an `outcome`: one that gives nothing, a truth
/// value or a number may not.
consteval bool may_return_outcome(const char* signature) {
  constexpr const char* before[] = {"static ", "constexpr ", "inline ", "std::"};
  constexpr const char* others[] = {"void ",     "bool ",     "char ",     "short ",   "int ",
                                    "long ",     "unsigned ", "signed ",   "float ",   "double ",
                                    "int8_t ",   "int16_t ",  "int32_t ",  "int64_t ", "uint8_t ",
                                    "uint16_t ", "uint32_t ", "uint64_t ", "size_t "};
  const auto skips = [&](const char* word) {
    const char* rest = signature;
    while (*word != 0 && *rest == *word) ++rest, ++word;
    if (*word == 0) signature = rest;
    return *word == 0;
  };
  for (bool more = true; more;) {
    more = false;
    for (const char* word : before) more = skips(word) || more;
  }
  for (const char* word : others) {
    if (skips(word)) return false;
  }
  return true;
}

}  // namespace stm

MAGPIE_NAMESPACE_END

/// The value of an operation of a transaction; returns `outcome::retry` from the function around it if there is none.
#define MAGPIE_TRY(...) MAGPIE_TRY_AS(__COUNTER__, __VA_ARGS__)
// A name of its own each time: one may stand in another.
#define MAGPIE_TRY_AS(number, ...) MAGPIE_TRY_NAMED(number, __VA_ARGS__)
#define MAGPIE_TRY_NAMED(number, ...)                                                                           \
  (__extension__({                                                                                              \
    static_assert(::magpie::stm::may_return_outcome(__PRETTY_FUNCTION__),                                       \
                  "MAGPIE_TRY returns outcome::retry where the attempt failed: the function around it gives a " \
                  "magpie::stm::outcome or a magpie::stm::result<T>");                                          \
    const auto& magpie_given_##number = (__VA_ARGS__);                                                          \
    using magpie_type_##number = std::remove_cvref_t<decltype(magpie_given_##number)>;                          \
    static_assert(                                                                                              \
        ::magpie::stm::may_be_tried<magpie_type_##number>,                                                      \
        "MAGPIE_TRY takes what an operation of tx on data gives, or a magpie::stm::result<T>; an outcome, as "  \
        "of tx.inner, is returned unless it is commit");                                                        \
    ::magpie::stm::tried<magpie_type_##number> magpie_tried_##number(magpie_given_##number);                    \
    if (!magpie_tried_##number) return ::magpie::stm::outcome::retry;                                           \
    magpie_tried_##number.value();                                                                              \
  }))
