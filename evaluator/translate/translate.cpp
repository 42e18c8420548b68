#include "evaluator/translate/translate.h"

#include <llvm/IR/Module.h>
#include <llvm/IR/Verifier.h>
#include <llvm/Support/raw_ostream.h>

#include "evaluator/translate/check/accesses.h"
#include "evaluator/translate/check/calls.h"
#include "evaluator/translate/check/lanes.h"
#include "evaluator/translate/check/places.h"
#include "evaluator/translate/check/private_memory.h"
#include "evaluator/translate/interface.h"
#include "evaluator/translate/lower/address_spaces.h"
#include "evaluator/translate/lower/bool_vectors.h"
#include "evaluator/translate/lower/gather_lanes.h"
#include "evaluator/translate/lower/make_printable.h"
#include "evaluator/translate/lower/order.h"
#include "evaluator/translate/lower/parameters.h"
#include "evaluator/translate/lower/references.h"
#include "evaluator/translate/lower/rounds.h"
#include "evaluator/translate/print.h"
#include "lint/metal/module.h"
#include "lint/metal/optimise.h"

namespace msci {
namespace {

void check([[maybe_unused]] llvm::Module& ir) {
  assert(!llvm::verifyModule(ir, &llvm::errs()) && "every lowering leaves valid IR");
}

// Both translations, step by step; `places` is null for a plain one.
Result<Translation> translate(Unit& unit, Places* places) {
  auto interfaces = kernel_interfaces(unit);
  if (!interfaces) return interfaces.error();
  auto module = lower(unit, places ? WithPlaces::yes : WithPlaces::no);
  if (!module) return module.error();
  auto& ir = module->ir();

  count_true_as_one(ir);  // first: later steps fold the conversions that it looks for
  give_opencl_parameters(ir, *interfaces);
  name_constant_space(ir);  // before inlining: constant loads are marked where they stand
  inline_everything(ir);
  Translation translation{.source_name = unit.source().name};
  for (auto& interface : *interfaces) translation.kernels.push_back(std::move(interface.signature));
  if (places) check_private_memory(ir, *places);  // before anything forgets what was never written
  infer_address_spaces(ir);  // needs helpers inlined: their pointers are generic
  if (places) {
    check_accesses(ir, translation.kernels, *places);  // before accesses move or merge
    check_lanes(ir, *places);
    drop_what_holds(ir);
  }
  optimise(ir);
  infer_address_spaces(ir);  // what optimisation made plain
  read_references_first(ir);  // when there is no more sinking of loads to where they are used
  make_printable(ir);
  if (places) drop_what_holds(ir);
  order_by_need(ir);
  meet_after_rounds(ir);
  gather_lanes(ir);  // last: nothing may come between them again
  check(ir);

  auto text = print(ir, translation.kernels, places);
  if (!text) return text.error();
  translation.text = *std::move(text);
  if (places) translation.places = places->all();
  return translation;
}

}  // namespace

Result<Translation> translate(Unit& unit) { return translate(unit, nullptr); }

Result<Translation> translate_checked(Unit& unit) {
  Places places(unit);
  return translate(unit, &places);
}

}  // namespace msci
