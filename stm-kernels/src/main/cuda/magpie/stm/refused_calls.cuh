/// @file
/// Calls of a transaction that no operation takes: overloads that are chosen for them, and say what to write instead.
///
/// Layer: stm, part of transaction.cuh. `Tx` derives from this, so that a compiler names the region's line for each of them.
/// None is chosen where an operation takes the arguments.
#pragma once

#include "magpie/stm/guarded.cuh"

MAGPIE_NAMESPACE_BEGIN

namespace stm {

template <class T, class Guard, class Layout>
std::type_identity<std::remove_const_t<T>> data_of_guarded(const guarded<T, Guard, Layout>&);
template <class T, class Guard>
std::type_identity<std::remove_const_t<T>> data_of_rows(const guarded_matrix<T, Guard>&);
template <class T>
std::type_identity<std::remove_const_t<T>> data_of_opened(const datum<T>&);

template <class A>
concept guarded_array = requires(const A& array) {
  data_of_guarded(array);
};
template <class M>
concept guarded_rows = requires(const M& matrix) {
  data_of_rows(matrix);
};
template <class D>
concept opened_datum = requires(const D& datum) {
  data_of_opened(datum);
};
template <class H>
concept handle_like = std::is_convertible_v<H, handle>;

/// Whether `tx.set` of a guarded array, or of an opened datum, takes this value.
template <class A, class Value>
inline constexpr bool sets = false;
template <guarded_array A, class Value>
inline constexpr bool sets<A, Value> =
    std::is_convertible_v<Value, typename decltype(data_of_guarded(std::declval<const A&>()))::type>;
template <opened_datum D, class Value>
inline constexpr bool sets<D, Value> =
    std::is_convertible_v<Value, typename decltype(data_of_opened(std::declval<const D&>()))::type>;

/// Whether these are arguments of `tx.read`, or of `tx.write` and `tx.store`.
template <class Handle, class Place, class Value>
inline constexpr bool is_read_of = false;
template <handle_like Handle, class T, class Value>
inline constexpr bool is_read_of<Handle, T*, Value> = std::is_same_v<std::remove_const_t<T>, Value>;
template <class Handle, class Place, class Value>
inline constexpr bool is_write_of = false;
template <handle_like Handle, class T, class Value>
inline constexpr bool is_write_of<Handle, T*, Value> = std::is_convertible_v<Value, std::remove_const_t<T>>;

/// What a call that was refused would have given, as far as that can be told, so that what is made of it is not refused too.
template <class A>
struct element_of_refused {
  using type = std::uint32_t;
};
template <class A>
  requires(!guarded_rows<A>)
&&requires(const A& array) { array[0]; }
struct element_of_refused<A> {
  using type = std::remove_cvref_t<decltype(std::declval<const A&>()[0])>;
};

template <class Tx>
class refused_calls {
  template <class A>
  using element_of = typename element_of_refused<A>::type;

 public:
  template <class First, class... Rest>
    requires(!any_objects<First> && !guarded_array<First>)
  MAGPIE_INLINE handle open(const First&, const Rest&...) {
    static_assert(!guarded_rows<First>,
                  "tx.open of a guarded matrix takes a row and a column: tx.open(m.row(i), column)");
    static_assert(guarded_rows<First>,
                  "tx.open takes magpie::stm::objects and a number, or a magpie::stm::guarded array and an index: a "
                  "magpie::array has no objects of its own");
    return {};
  }

  template <class First, class... Rest>
    requires(!guarded_array<First> && !opened_datum<First>)
  MAGPIE_INLINE result<element_of<First>> get(const First&, const Rest&...) {
    static_assert(!guarded_rows<First>,
                  "tx.get of a guarded matrix takes a row and a column: tx.get(m.row(i), column)");
    static_assert(guarded_rows<First>,
                  "tx.get takes a magpie::stm::guarded array and an index: declare the field so, or open the datum's "
                  "object and call tx.read(h, &values[i], x)");
    return outcome::retry;
  }
  template <guarded_array A>
  MAGPIE_INLINE result<element_of<A>> get(const A&) {
    static_assert(!guarded_array<A>, "tx.get takes an index behind the guarded array: tx.get(array, i)");
    return outcome::retry;
  }

  template <class First, class... Rest>
    requires(!guarded_array<First> && !opened_datum<First>)
  MAGPIE_INLINE bool set(const First&, const Rest&...) {
    static_assert(!guarded_rows<First>,
                  "tx.set of a guarded matrix takes a row and a column: tx.set(m.row(i), column, x)");
    static_assert(guarded_rows<First>,
                  "tx.set takes a magpie::stm::guarded array, an index and a value: declare the field so, or open the "
                  "datum's object and call tx.write(h, &values[i], x)");
    return false;
  }
  template <guarded_array A, class Value>
  MAGPIE_INLINE bool set(const A&, const Value&) {
    static_assert(!guarded_array<A>,
                  "tx.set takes an index between the guarded array and the value: tx.set(array, i, x)");
    return false;
  }
  template <guarded_array A, class Index, class Value>
    requires(std::is_convertible_v<Index, std::uint64_t> && !sets<A, Value>)
  MAGPIE_INLINE bool set(const A&, const Index&, const Value&) {
    static_assert(sets<A, Value>, "tx.set takes a value of the type that the guarded array has");
    return false;
  }
  template <opened_datum D, class Value>
    requires(!sets<D, Value>)
  MAGPIE_INLINE bool set(const D&, const Value&) {
    static_assert(sets<D, Value>, "tx.set takes a value of the type that the opened datum has");
    return false;
  }

  template <class Handle, class Place, class Value>
    requires(!guarded_array<Handle> && !is_read_of<Handle, std::decay_t<Place>, Value>)
  MAGPIE_INLINE bool read(const Handle&, const Place&, const Value&) {
    static_assert(handle_like<Handle>,
                  "tx.read takes the handle of an opened object first: const auto h = tx.open(objects, i)");
    static_assert(!handle_like<Handle> || std::is_pointer_v<std::decay_t<Place>>,
                  "tx.read takes the datum's address: &values[i]");
    static_assert(!handle_like<Handle> || !std::is_pointer_v<std::decay_t<Place>>,
                  "tx.read takes a variable of the datum's own type: std::uint32_t x for magpie::array<std::uint32_t>");
    return false;
  }
  template <guarded_array A, class... Rest>
  MAGPIE_INLINE bool read(const A&, const Rest&...) {
    static_assert(!guarded_array<A>, "a guarded array is read by tx.get(array, i)");
    return false;
  }

  template <class Handle, class Place, class Value>
    requires(!guarded_array<Handle> && !is_write_of<Handle, std::decay_t<Place>, Value>)
  MAGPIE_INLINE bool write(const Handle&, const Place&, const Value&) {
    static_assert(handle_like<Handle>,
                  "tx.write takes the handle of an opened object first: const auto h = tx.open(objects, i)");
    static_assert(!handle_like<Handle> || std::is_pointer_v<std::decay_t<Place>>,
                  "tx.write takes the datum's address: &values[i]");
    static_assert(!handle_like<Handle> || !std::is_pointer_v<std::decay_t<Place>>,
                  "tx.write takes a value of the datum's own type");
    return false;
  }
  template <guarded_array A, class... Rest>
  MAGPIE_INLINE bool write(const A&, const Rest&...) {
    static_assert(!guarded_array<A>, "a guarded array is written by tx.set(array, i, x)");
    return false;
  }

  template <class First, class... Rest>
    requires(!handle_like<First> && !guarded_array<First>)
  MAGPIE_INLINE element_of<First> load(const First&, const Rest&...) {
    static_assert(handle_like<First>,
                  "tx.load takes the handle of an opened object and an address, tx.load(h, &values[i]), or a guarded "
                  "array and an index");
    return {};
  }
  template <handle_like Handle, class Place>
    requires(!std::is_pointer_v<std::decay_t<Place>>)
  MAGPIE_INLINE Place load(const Handle&, const Place& place) {
    static_assert(std::is_pointer_v<Place>, "tx.load takes the datum's address: &values[i]");
    return place;
  }

  template <class First, class... Rest>
    requires(!handle_like<First> && !guarded_array<First>)
  MAGPIE_INLINE void store(const First&, const Rest&...) {
    static_assert(handle_like<First>,
                  "tx.store takes the handle of an opened object and an address, tx.store(h, &values[i], x), or a "
                  "guarded array and an index");
  }
  template <handle_like Handle, class Place, class Value>
    requires(!is_write_of<Handle, std::decay_t<Place>, Value>)
  MAGPIE_INLINE void store(const Handle&, const Place&, const Value&) {
    static_assert(std::is_pointer_v<std::decay_t<Place>>, "tx.store takes the datum's address: &values[i]");
    static_assert(!std::is_pointer_v<std::decay_t<Place>>, "tx.store takes a value of the datum's own type");
  }

  template <class First, class... Rest>
    requires(!any_objects<First> && !guarded_array<First>)
  MAGPIE_INLINE element_of<First> peek(const First&, const Rest&...) {
    static_assert(any_objects<First>,
                  "tx.peek takes a guarded array and an index, or objects, a number and the datum's address: "
                  "tx.peek(objects, i, &values[i])");
    return {};
  }
  template <any_objects Objects, class Place>
    requires(!std::is_pointer_v<std::decay_t<Place>>)
  MAGPIE_INLINE Place peek(const Objects&, std::uint32_t, const Place& place) {
    static_assert(std::is_pointer_v<Place>, "tx.peek takes the datum's address: &values[i]");
    return place;
  }

  template <class Place, class... Rest>
    requires(!std::is_pointer_v<std::decay_t<Place>> && !guarded_array<Place>)
  MAGPIE_INLINE std::conditional_t<sizeof...(Rest) == 0, Place, element_of<Place>> glance(const Place&,
                                                                                          const Rest&...) {
    static_assert(std::is_pointer_v<Place>,
                  "tx.glance takes the datum's address, &values[i], or a guarded array and an index");
    return {};
  }
  template <class Place, class... Rest>
    requires(!std::is_pointer_v<std::decay_t<Place>> && !guarded_array<Place>)
  MAGPIE_INLINE void leave_hint(const Place&, const Rest&...) {
    static_assert(std::is_pointer_v<Place>,
                  "tx.leave_hint takes the datum's address, &values[i], or a guarded array and an index");
  }
  template <class Place, class Value>
    requires(!std::is_pointer_v<std::decay_t<Place>>)
  MAGPIE_INLINE void tally(const Place&, const Value&) {
    static_assert(std::is_pointer_v<Place>, "tx.tally takes the counter's address: &counts[i]");
  }
};

}  // namespace stm

MAGPIE_NAMESPACE_END
