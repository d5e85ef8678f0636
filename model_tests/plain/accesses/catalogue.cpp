// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// On trial: accesses to objects of 1 to 64 bytes and of odd types, in each way in which C++ can make them.
#include "accesses.hpp"

#include <algorithm>
#include <array>
#include <complex>
#include <cstdint>
#include <numeric>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#ifdef __AVX2__
#include <immintrin.h>
#endif

// NOLINTBEGIN
namespace accesses {

namespace {

std::vector<access>& table() {
    static std::vector<access> instance;
    return instance;
}

template <class T>
T& object_of(const place& where) {
    return *static_cast<T*>(where.object);
}
template <class T>
T& other_of(const place& where) {
    return *static_cast<T*>(where.other);
}

template <class T>
[[gnu::noinline]] void load(const place& where) {
    const T value = object_of<T>(where);
    use(&value);
}
template <class T>
[[gnu::noinline]] void store(const place& where) {
    T value;
    fill(&value, sizeof value);
    object_of<T>(where) = value;
}
template <class T>
[[gnu::noinline]] void zero(const place& where) {
    object_of<T>(where) = T{};
}
template <class T>
[[gnu::noinline]] void copy_from(const place& where) {
    other_of<T>(where) = object_of<T>(where);
}
template <class T>
[[gnu::noinline]] void copy_to(const place& where) {
    object_of<T>(where) = other_of<T>(where);
}

template <class T>
[[gnu::noinline]] void memcpy_from(const place& where) {
    __builtin_memcpy(where.other, where.object, sizeof(T));
}
template <class T>
[[gnu::noinline]] void memcpy_to(const place& where) {
    __builtin_memcpy(where.object, where.other, sizeof(T));
}
template <class T>
[[gnu::noinline]] void memset_to(const place& where) {
    __builtin_memset(where.object, 0, sizeof(T));
}

template <class T>
[[gnu::noinline]] void take(T value) {
    use(&value);
}
template <class T>
[[gnu::noinline]] void argument(const place& where) {
    take<T>(object_of<T>(where));
}

template <class T>
[[gnu::noinline]] T give() {
    T value;
    fill(&value, sizeof value);
    return value;
}
template <class T>
[[gnu::noinline]] void result(const place& where) {
    object_of<T>(where) = give<T>();
}
template <class T>
[[gnu::noinline]] T give_one(const T& which) {
    return which;
}
template <class T>
[[gnu::noinline]] void returned(const place& where) {
    const T value = give_one(object_of<T>(where));
    use(&value);
}

// Not inline, and the ways are data: thousands of entries added in place would be most of what is compiled.
[[gnu::noinline]] void add_entry(const access& each) { table().push_back(each); }

template <class T>
void add(const char* how, bool writes, void (*run)(const place&), const char* type, std::size_t size = sizeof(T)) {
    add_entry({how, type, size, alignof(T), writes, run});
}

struct way {
    const char* how;
    bool writes;
    bool whole;  // the padding of the type, too
    void (*run)(const place&);
};
template <class T>
constexpr way ways[] = {
    {"load", false, false, &load<T>},         {"store", true, false, &store<T>},
    {"zero", true, false, &zero<T>},          {"copy from", false, false, &copy_from<T>},
    {"copy to", true, false, &copy_to<T>},    {"memcpy from", false, true, &memcpy_from<T>},
    {"memcpy to", true, true, &memcpy_to<T>}, {"memset", true, true, &memset_to<T>},
    {"argument", false, false, &argument<T>}, {"result", true, false, &result<T>},
    {"returned", false, false, &returned<T>},
};

[[gnu::noinline]] void add_ways(std::span<const way> all, const char* type, std::size_t size, std::size_t whole,
                                std::size_t align) {
    for (const way& each : all) {
        add_entry({each.how, type, each.whole ? whole : size, align, each.writes, each.run});
    }
}
template <class T>
void add_each_way(const char* type, std::size_t size = sizeof(T)) {
    add_ways(ways<T>, type, size, sizeof(T), alignof(T));
}

template <std::size_t Size>
struct bytes {
    unsigned char all[Size];
};
template <std::size_t Size, std::size_t Align>
struct [[gnu::packed]] alignas(Align) aligned {
    unsigned char all[Size];
};
// Members that are loaded one by one, where a compiler likes to.
template <std::size_t Size>
struct [[gnu::packed]] members {
    unsigned char first;
    std::array<std::uint16_t, (Size - 1) / 2> rest;
};
template <class T>
struct [[gnu::packed]] displaced {
    T value;
};

template <std::size_t... Sizes>
void add_sizes(std::index_sequence<Sizes...>) {
    (add_each_way<bytes<Sizes + 1>>("struct of bytes"), ...);
    (add_each_way<aligned<8 * (Sizes / 8 + 1), 8>>("aligned struct"), ...);
    (add_each_way<members<2 * (Sizes / 2) + 3>>("packed members"), ...);
}

template <class T>
void add_number(const char* type, std::size_t size = sizeof(T)) {
    add_each_way<T>(type, size);
    add_each_way<displaced<T>>(type, size);
}

template <class T>
[[gnu::noinline]] void increment(const place& where) {
    ++object_of<T>(where);
}
template <class T>
[[gnu::noinline]] void negate_volatile(const place& where) {
    volatile T& object = object_of<T>(where);
    object = -object;
}

// ---- Bit-fields: the units that compilers load and store ----

template <unsigned Before, unsigned Width>
struct fields {
    std::uint64_t before : Before;
    std::uint64_t value : Width;
    std::uint64_t after : 64 - Before - Width;
};
struct unit_of_24_bits {
    unsigned length : 17, kind : 7;
    unsigned char sum;
};

template <class T>
[[gnu::noinline]] void read_field(const place& where) {
    const std::uint64_t value = object_of<T>(where).value;
    use(&value);
}
template <class T>
[[gnu::noinline]] void write_field(const place& where) {
    object_of<T>(where).value = 1;
}
[[gnu::noinline]] void read_length(const place& where) {
    const unsigned value = object_of<unit_of_24_bits>(where).length;
    use(&value);
}
[[gnu::noinline]] void write_kind(const place& where) { object_of<unit_of_24_bits>(where).kind = 1; }

// Of the unit of 64 bits, at least what the field is in; it may be told of more.
template <unsigned Width>
void add_field() {
    using first = fields<1, Width>;
    add<first>("read of bit-field", false, &read_field<first>, "fields", (Width + 8) / 8);
    add<first>("write of bit-field", true, &write_field<first>, "fields", (Width + 8) / 8);
}

// ---- Loops, which are vectorised ----

constexpr std::size_t count = 16;
using numbers = std::array<int, count>;

[[gnu::noinline]] void sum_up(const place& where) {
    const numbers& all = object_of<numbers>(where);
    const int sum = std::accumulate(all.begin(), all.end(), 0);
    use(&sum);
}
[[gnu::noinline]] void fill_up(const place& where) {
    numbers& all = object_of<numbers>(where);
    std::fill(all.begin(), all.end(), 7);
}
[[gnu::noinline]] void copy_all(const place& where) {
    const numbers& from = object_of<numbers>(where);
    numbers& to = other_of<numbers>(where);
    for (std::size_t i = 0; i < count; ++i) to[i] = from[i] + 1;
}
// The other array says where.
[[gnu::noinline]] void update_some(const place& where) {
    numbers& all = object_of<numbers>(where);
    const numbers& wanted = other_of<numbers>(where);
    for (std::size_t i = 0; i < count; ++i) {
        if (wanted[i] >= 0) all[i] = 1;
    }
}
[[gnu::noinline]] void gather(const place& where) {
    const numbers& all = object_of<numbers>(where);
    int sum = 0;
    for (std::size_t i = 0; i < count; ++i) sum += all[(i * 7) % count];
    use(&sum);
}

// ---- Vectors ----

template <std::size_t Size>
using lanes [[gnu::vector_size(Size)]] = int;

#ifdef __AVX2__
[[gnu::noinline]] void load_masked(const place& where) {
    const __m256i value = _mm256_maskload_epi32(static_cast<const int*>(where.object), _mm256_set1_epi32(-1));
    use(&value);
}
[[gnu::noinline]] void store_masked(const place& where) {
    _mm256_maskstore_epi32(static_cast<int*>(where.object), _mm256_set1_epi32(-1), _mm256_setzero_si256());
}
[[gnu::noinline]] void load_gathered(const place& where) {
    const __m256i value =
        _mm256_i32gather_epi32(static_cast<const int*>(where.object), _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7), 4);
    use(&value);
}
#endif

// ---- What opted out, and assembler ----

[[gnu::noinline]] __attribute__((no_sanitize("thread"))) void opted_out(const place& where) {
    object_of<long>(where) = 1;
}
#ifdef __x86_64__
[[gnu::noinline]] void by_assembler(const place& where) { asm volatile("movl $1, %0" : "=m"(object_of<int>(where))); }
#endif

void add_all() {
    add_sizes(std::make_index_sequence<64>());

    add_number<bool>("bool");
    add_number<short>("short");
    add_number<int>("int");
    add_number<long>("long");
    add_number<float>("float");
    add_number<double>("double");
    __extension__ using int128 = __int128;
    add_number<int128>("__int128");
    add_number<long double>("long double", 10);  // of its sixteen bytes
    add_each_way<std::complex<float>>("complex<float>");
    add_each_way<std::complex<double>>("complex<double>");
    add_each_way<std::pair<long, int>>("pair<long, int>", 12);
#ifdef __clang__
    add_number<_BitInt(17)>("_BitInt(17)", 3);
    add_number<_BitInt(40)>("_BitInt(40)", 5);
    add_number<_BitInt(72)>("_BitInt(72)", 9);
    add_number<_BitInt(256)>("_BitInt(256)", 32);
#endif
    add<int>("increment", true, &increment<int>, "int");
    add<displaced<double>>("negate", true, &negate_volatile<double>, "volatile double");

    add_field<1>();
    add_field<7>();
    add_field<12>();
    add_field<23>();
    add_field<31>();
    add_field<40>();
    add_field<62>();
    add<unit_of_24_bits>("read of bit-field", false, &read_length, "17 bits of 24", 3);
    add<unit_of_24_bits>("write of bit-field", true, &write_kind, "7 bits of 24", 3);

    add<numbers>("accumulate", false, &sum_up, "array");
    add<numbers>("std::fill", true, &fill_up, "array");
    add<numbers>("copying loop", false, &copy_all, "array");
    add<numbers>("conditional loop", true, &update_some, "array");
    add<numbers>("indexed loop", false, &gather, "array");

    add_each_way<lanes<8>>("vector of 8");
    add_each_way<lanes<16>>("vector of 16");
    add_each_way<lanes<32>>("vector of 32");
    add_each_way<lanes<64>>("vector of 64");
#ifdef __AVX2__
    add<int>("masked load", false, &load_masked, "int", 32);
    add<int>("masked store", true, &store_masked, "int", 32);
    add<int>("gathering load", false, &load_gathered, "int", 32);
#endif
    add<long>("store of a function that opted out", true, &opted_out, "long");
#ifdef __x86_64__
    add<int>("assembler", true, &by_assembler, "int");
#endif
}

}  // namespace

std::span<const access> all() {
    if (table().empty()) add_all();
    return table();
}

}  // namespace accesses
// NOLINTEND
