#include "lint/run/serialise.h"

#include <memory>

#include "base/diagnostic_json.h"
#include "base/msgpack_result.h"
#include "base/optional_json.h"

// Shared values are null or the value.
template <typename T>
struct nlohmann::adl_serializer<std::shared_ptr<const T>> {
  static void to_json(json& json, const std::shared_ptr<const T>& value) {
    if (value) json = *value;
  }
  static void from_json(const json& json, std::shared_ptr<const T>& value) {
    if (!json.is_null()) value = std::make_shared<const T>(json.get<T>());
  }
};

namespace msci {

// The members of the values, for the JSON library.
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Source, name, text)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Fix, edits, safe)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(LanguageVersion, number)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Finding, rule, severity, place, message, notes, fixes, versions)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(SuppressedFinding, finding, reason)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(HostFetch, kernel, range)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(HostMember, name, offset, bytes)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(HostBinding, index, bytes, type, is_buffer, memory, range,
                                   members)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(HostDispatch, kernel, range, bindings, bindings_known,
                                   overlapping, threads)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(BoundArgument, kernel, index)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(CpuWork, range, call, target, lands_in, reads, remains,
                                   in_buffer, handed_out, read_back)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Host, files, fetched, names_known, dispatched, dispatches_known,
                                   mentioned, libraries, cpu_work, failure)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(ContractArgument, index, type, name, meaning, kind)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(KernelContract, name, arguments)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(GpuTarget, name, family)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(SystemTarget, name, is_mac, newest)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Targets, gpus, systems)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Contract, kernels, from, host, targets)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(LineDirective, line, number, file)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(FileLookup, path, was_read)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(UnprovedKernel, kernel, reason, detail)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(ProofCoverage, kernels, unproved, off)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(FileReport, proofs, source, included, compiled, kernels,
                                   findings, suppressed, contract, lookups, error, warnings,
                                   line_directives)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(LintResult, report, fixed, fixes)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(FileState, file, state)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(KeptResult, files, result)

std::string serialise(const Result<LintResult>& result) { return to_msgpack(result); }

Result<LintResult> deserialise(std::string_view bytes) { return from_msgpack<LintResult>(bytes); }

std::string serialise(const KeptResult& kept) { return to_msgpack(Result<KeptResult>(kept)); }

Result<KeptResult> deserialise_kept(std::string_view bytes) {
  return from_msgpack<KeptResult>(bytes);
}

std::string serialise(const Host& host) { return to_msgpack(Result<Host>(host)); }

Result<Host> deserialise_host(std::string_view bytes) { return from_msgpack<Host>(bytes); }

}  // namespace msci
