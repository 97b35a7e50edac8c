/// @file
/// A program that runs one region of this folder by itself, for tools that watch programs: see other-tools.sh, which builds
/// it with `MAGPIE_REGION_FILE`, the region's file in quotes, and `MAGPIE_REGION_NAME`.
///
///     program LAUNCHES ITEMS NAME=VALUES...
///
/// The values are as in the head of the region's file, and the same before each launch.
#include MAGPIE_REGION_FILE

#include <charconv>
#include <cstdio>
#include <functional>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "magpie/host.hpp"

namespace {

using policy = magpie::stm::hand_off;
using region = MAGPIE_REGION_NAME;

long number(std::string_view text) {
  long value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) {
    throw std::runtime_error("no whole number: " + std::string(text));
  }
  return value;
}

std::vector<std::string_view> split(std::string_view text, char at) {
  std::vector<std::string_view> parts;
  for (std::size_t end; (end = text.find(at)) != std::string_view::npos; text.remove_prefix(end + 1)) {
    parts.push_back(text.substr(0, end));
  }
  parts.push_back(text);
  return parts;
}

/// What an array begins as: `[1,2]`, `zeros:LENGTH`, `fill:VALUE:LENGTH` or `iota:LENGTH`.
std::vector<long> numbers(std::string_view text) {
  if (text.starts_with('[')) {
    std::vector<long> values;
    for (const std::string_view each : split(text.substr(1, text.size() - 2), ',')) values.push_back(number(each));
    return values;
  }
  const auto parts = split(text, ':');
  std::vector<long> values(static_cast<std::size_t>(number(parts.back())),
                           parts[0] == "fill" ? number(parts.at(1)) : 0);
  for (std::size_t i = 0; parts[0] == "iota" && i < values.size(); ++i) values[i] = static_cast<long>(i);
  return values;
}

/// Fills the fields of regions, and owns what they point to until it is filled again.
class arguments {
 public:
  explicit arguments(std::map<std::string, std::string, std::less<>> texts) : texts_(std::move(texts)) {}

  void put_into(region& made) {
    pools.clear();
    refreshed_.clear();
    named_.clear();
    owned_.clear();
    fill(made, "");
  }

  /// Gives the region that was filled last the views that its pools have now.
  void refresh() const {
    for (const auto& each : refreshed_) each();
  }

  std::vector<magpie::host::slot_pool*> pools;

 private:
  template <class T>
  void fill(T& object, const std::string& prefix) {
    [&]<std::size_t... I>(std::index_sequence<I...>) {
      (set(const_cast<std::remove_cvref_t<decltype(*std::get<I>(magpie::reflection::field_pointers(object)))>&>(
               *std::get<I>(magpie::reflection::field_pointers(object))),
           prefix + std::string(magpie::reflection::field_name<T, I>())),
       ...);
    }
    (std::make_index_sequence<magpie::reflection::field_count<T>>());
  }

  const std::string& text(const std::string& name) const {
    const auto at = texts_.find(name);
    if (at == texts_.end()) throw std::runtime_error("no argument for field " + name);
    return at->second;
  }

  template <class T>
  T& keep(T* made) {
    owned_.push_back(std::shared_ptr<T>(made));
    return *made;
  }

  template <class T>
  void set(T& field, const std::string& name) {
    if constexpr (magpie::reflection::is_argument<T>) {
      field = static_cast<T>(number(text(name)));
    } else {
      fill(field, name + ".");
    }
  }
  template <class T>
  void set(magpie::array<T>& field, const std::string& name) {
    using element = std::remove_const_t<T>;
    const std::vector<long> values = numbers(text(name));
    std::vector<element> data(values.size());
    if constexpr (std::is_arithmetic_v<element>) {
      for (std::size_t i = 0; i < data.size(); ++i) data[i] = static_cast<element>(values[i]);
    }
    auto& made = keep(new magpie::host::buffer<element>(data));
    field = {made.data(), made.size()};
  }
  template <class T>
  void set(T*& field, const std::string& name) {
    magpie::array<T> elements;
    set(elements, name);
    field = elements.data;
  }
  /// So many objects, as `objects:COUNT`, or those of a field before this one, by its name.
  void set(magpie::stm::objects& field, const std::string& name) {
    const auto same = named_.find(text(name));
    if (same != named_.end()) {
      field = same->second;
    } else {
      const auto parts = split(text(name), ':');
      if (parts.size() != 2 || parts[0] != "objects")
        throw std::runtime_error("no objects: " + name + "=" + text(name));
      field =
          keep(new magpie::host::object_array(static_cast<std::uint32_t>(number(parts[1])))).template view<policy>();
    }
    named_[name] = field;
  }
  /// By its own name, or by those of its fields; as many objects as its data need unless their number is given.
  template <class T, class Guard>
  void set(magpie::stm::guarded<T, Guard>& field, const std::string& name) {
    magpie::array<T> elements;
    set(elements, texts_.contains(name) ? name : name + ".data");
    field.data = elements;
    if (texts_.contains(name + ".guards")) return set(field.guards, name + ".guards");
    constexpr std::uint32_t share = magpie::stm::data_per_object_of<Guard>;
    if (share == 0) throw std::runtime_error("no argument for field " + name + ".guards");
    const auto count = static_cast<std::uint32_t>((elements.size() + share - 1) / share);
    field.guards = keep(new magpie::host::object_array(count)).template view<policy>();
    named_[name + ".guards"] = field.guards;
  }
  template <class T, class Layout>
    requires(!std::is_same_v<Layout, magpie::stm::apart>)
  void set(magpie::stm::guarded<T, magpie::stm::same_index, Layout>& field, const std::string& name) {
    const std::vector<long> values = numbers(text(name));
    std::vector<std::remove_const_t<T>> data(values.size());
    if constexpr (std::is_arithmetic_v<T>) {
      for (std::size_t i = 0; i < data.size(); ++i) data[i] = static_cast<T>(values[i]);
    }
    field = keep(new magpie::host::cell_array<T, Layout>(data)).template view<policy>();
  }
  template <std::uint32_t Index>
  void set(magpie::stm::pool<Index>& field, const std::string& name) {
    const auto parts = split(text(name), ':');
    const auto live = static_cast<std::uint32_t>(parts.size() > 2 ? number(parts[2]) : 0);
    auto& made = keep(new magpie::host::slot_pool(static_cast<std::uint32_t>(number(parts.at(1))), live));
    pools.resize(magpie::stm::pools_of<region>);
    pools[Index] = &made;
    refreshed_.push_back([&field, &made] { field = made.template view<Index>(); });
    refreshed_.back()();
  }

  std::map<std::string, std::string, std::less<>> texts_;
  std::vector<std::shared_ptr<void>> owned_;
  std::vector<std::function<void()>> refreshed_;
  std::map<std::string, magpie::stm::objects> named_;
};

void run(arguments& from, std::uint32_t items) {
  region made{};
  from.put_into(made);
  if constexpr (magpie::stm::in_rounds<region>) {
    magpie::host::rounds_options options;
    options.pools = from.pools;
    options.max_rounds = 100;
    options.timeout = std::chrono::seconds(5);
    std::vector<std::uint32_t> all(items);
    for (std::uint32_t i = 0; i < items; ++i) all[i] = i;
    magpie::host::worklist work(all);
    const auto now = [&] {
      from.refresh();
      return made;
    };
    magpie::host::run_rounds<policy>(now, work, options);
  } else {
    magpie::host::region_options options;
    options.pools = from.pools;
    options.timeout = std::chrono::seconds(5);
    magpie::host::run_region<policy>(made, items, options);
  }
}

}  // namespace

int main(int count, char** words) {
  try {
    std::map<std::string, std::string, std::less<>> texts;
    for (int i = 3; i < count; ++i) {
      const std::string_view word = words[i];
      const std::size_t equals = word.find('=');
      if (equals == std::string_view::npos) throw std::runtime_error("no NAME=VALUES: " + std::string(word));
      texts.emplace(word.substr(0, equals), word.substr(equals + 1));
    }
    if (count < 3) throw std::runtime_error("usage: program LAUNCHES ITEMS NAME=VALUES...");
    arguments from(std::move(texts));
    for (long i = number(words[1]); i > 0; --i) run(from, static_cast<std::uint32_t>(number(words[2])));
  } catch (const std::exception& e) {
    std::fprintf(stderr, "%s\n", e.what());
    return 3;
  }
  return 0;
}
