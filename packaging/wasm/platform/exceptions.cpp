// What the compiler calls to throw and to catch (the ABI of wasm exceptions). The C++ library of
// the sysroot is built without exceptions and has none of it.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <exception>
#include <typeinfo>

asm(".globl __cpp_exception\n"
    ".tagtype __cpp_exception i32\n"
    "__cpp_exception:\n");

namespace {

// Lies before each object that is thrown.
struct alignas(16) Header {
  const std::type_info* type;
  void* (*destroy)(void*);  // a destructor returns its object here
  void* caught;             // the object as the handler's type sees it
  Header* outer;            // the exception that an outer handler works on
  int handlers;             // that have not ended
  bool is_thrown;           // again, by a handler
};

Header* innermost = nullptr;

// The virtual functions of the library's descriptions of types.
struct Description : std::type_info {
  virtual void unused_1() const = 0;
  virtual void unused_2() const = 0;
  virtual bool can_catch(const Description* thrown, void*& object) const = 0;
};

std::uintptr_t read_unsigned(const std::uint8_t*& at) {
  std::uintptr_t value = 0;
  for (unsigned shift = 0;; shift += 7) {
    const auto byte = *at++;
    value |= std::uintptr_t{byte & 0x7fU} << shift;
    if (byte < 0x80) return value;
  }
}

std::intptr_t read_signed(const std::uint8_t*& at) {
  std::uintptr_t value = 0;
  for (unsigned shift = 0;;) {
    const auto byte = *at++;
    value |= std::uintptr_t{byte & 0x7fU} << shift;
    shift += 7;
    if (byte >= 0x80) continue;
    if ((byte & 0x40) != 0 && shift < 32) value |= ~std::uintptr_t{0} << shift;
    return static_cast<std::intptr_t>(value);
  }
}

// Whether a handler takes the exception; a null type takes all.
bool takes(const Description* type, Header& exception) {
  exception.caught = &exception + 1;
  return !type ||
         type->can_catch(static_cast<const Description*>(exception.type), exception.caught);
}

}  // namespace

extern "C" {

struct LandingPad {
  std::uintptr_t index;
  const std::uint8_t* table;  // the function's language-specific data
  std::uintptr_t selector;    // which of its types matched; 0 for none
} __wasm_lpad_context;

void* __cxa_allocate_exception(std::size_t size) noexcept {
  auto* header = static_cast<Header*>(std::calloc(1, sizeof(Header) + size));
  if (!header) std::terminate();
  return header + 1;
}

void __cxa_free_exception(void* object) noexcept { std::free(static_cast<Header*>(object) - 1); }

[[noreturn]] void __cxa_throw(void* object, std::type_info* type, void* (*destroy)(void*)) {
  auto* header = static_cast<Header*>(object) - 1;
  header->type = type;
  header->destroy = destroy;
  __builtin_wasm_throw(0, header);
}

// Called before the handlers of a function: says which of its types matches.
int _Unwind_CallPersonality(void* exception) {
  constexpr std::uint8_t omitted = 0xff;
  auto& pad = __wasm_lpad_context;
  pad.selector = 0;
  const auto* at = pad.table;
  if (!at) return 0;
  if (*at++ != omitted) std::abort();
  const std::uint8_t* types = nullptr;
  if (*at++ != omitted) {
    const auto distance = read_unsigned(at);
    types = at + distance;
  }
  ++at;  // how the records are written: always the same way
  const auto records = read_unsigned(at);
  const auto* actions = at + records;
  std::uintptr_t action = 0;
  for (std::uintptr_t record = 0; record <= pad.index; ++record) {
    read_unsigned(at);
    action = read_unsigned(at);
  }
  if (action == 0) return 0;
  for (const auto* next = actions + action - 1;;) {
    const auto type = read_signed(next);
    const auto* offset = next;
    const auto distance = read_signed(next);
    if (type > 0) {
      const auto* entry = reinterpret_cast<const Description* const*>(types) - type;
      if (takes(*entry, *static_cast<Header*>(exception))) {
        pad.selector = static_cast<std::uintptr_t>(type);
        return 0;
      }
    }
    if (distance == 0) return 0;
    next = offset + distance;
  }
}

void* __gxx_personality_wasm0 = nullptr;

void* __cxa_get_exception_ptr(void* exception) noexcept {
  return static_cast<Header*>(exception)->caught;
}

void* __cxa_begin_catch(void* exception) noexcept {
  auto* header = static_cast<Header*>(exception);
  header->is_thrown = false;
  ++header->handlers;
  if (innermost != header) {
    header->outer = innermost;
    innermost = header;
  }
  return header->caught;
}

void __cxa_end_catch() {
  auto* header = innermost;
  if (--header->handlers > 0) return;
  innermost = header->outer;
  if (header->is_thrown) return;
  if (header->destroy) header->destroy(header + 1);
  std::free(header);
}

[[noreturn]] void __cxa_rethrow() {
  if (!innermost) std::terminate();
  innermost->is_thrown = true;
  __builtin_wasm_throw(0, innermost);
}

[[noreturn]] void _Unwind_Resume(void* exception) { __builtin_wasm_throw(0, exception); }

}  // extern "C"
