#include "lint/config.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <set>
#include <sstream>

#include "base/json.h"
#include "compiler/frontend/version.h"
#include "tests/support/folder.h"

namespace msci {
namespace {

std::string error_of(std::string_view text) {
  const auto config = parse_config(text, "c.json");
  return config ? "none" : config.error().message;
}

TEST(Config, is_read_from_json_with_comments) {
  const auto config = parse_config(R"({
    // the family that we have not come to yet
    "select": ["metal", "hazard"], "ignore": ["hazard.x"],
    "severity": {"slow": "off", "hazard": "error"},
    "std": "metal3.2", "exclude": ["build/", "*.gen.metal"]
  })",
                                   "c.json");
  ASSERT_TRUE(config) << config.error().message;
  EXPECT_EQ(config->select, (std::vector<std::string>{"metal", "hazard"}));
  EXPECT_EQ(config->ignore, (std::vector<std::string>{"hazard.x"}));
  EXPECT_EQ(config->severity, (std::vector<Override>{{"slow", {}}, {"hazard", Severity::error}}));
  EXPECT_EQ(config->compile.version->number, 320u);
  EXPECT_EQ(config->exclude, (std::vector<std::string>{"build/", "*.gen.metal"}));
}

TEST(Config, errors_name_file_and_key) {
  EXPECT_EQ(error_of("{}"), "none");
  EXPECT_EQ(error_of(R"({"selct": []})"),
            "c.json: unknown key \"selct\" in a configuration; did you mean \"select\"?");
  EXPECT_EQ(
      error_of(R"({"rules": []})"),
      "c.json: unknown key \"rules\" in a configuration; the keys are extends, select, ignore, "
      "severity, std, target, exclude, include_folders, system_folders, prelude, include, define, "
      "undefine, fast_math, join, overrides, $schema");
  EXPECT_EQ(error_of(R"({"select": "metal"})"), "c.json: \"select\": expected a list of strings");
  EXPECT_EQ(error_of(R"({"exclude": [3]})"), "c.json: \"exclude\": expected a list of strings");
  EXPECT_EQ(error_of(R"({"severity": ["off"]})"),
            "c.json: \"severity\": expected an object of rules and severities");
  EXPECT_EQ(error_of(R"({"severity": {"slow": "quiet"}})"),
            "c.json: \"slow\": \"quiet\" is not a severity; use error, warning, note or off");
  EXPECT_EQ(error_of(R"({"severity": {"slow": 1}})"),
            "c.json: \"slow\": expected a string: error, warning, note or off");
  EXPECT_TRUE(error_of(R"({"std": "metal9"})").starts_with("c.json: \"std\": "));
  EXPECT_TRUE(error_of(R"({"target": "apple70"})")
                  .starts_with("c.json: \"target\": unknown target 'apple70'; known are apple2"))
      << error_of(R"({"target": "apple70"})");
  EXPECT_EQ(error_of("[]"), "c.json: a configuration must be a JSON object");
  EXPECT_TRUE(error_of("{\"std\": 4e544}").starts_with("c.json: number overflow"))
      << error_of("{\"std\": 4e544}");
  EXPECT_TRUE(error_of("{\n  \"select\": [\n}").starts_with("c.json: parse error at line 3"));
}

// The keys that the loader knows, as its errors list them.
std::set<std::string> keys_in(const std::string& error) {
  std::set<std::string> keys;
  std::istringstream words(error.substr(error.find("the keys are ") + 13));
  for (std::string word; words >> word;) keys.insert(word.substr(0, word.find_first_of(",")));
  return keys;
}

std::set<std::string> keys_of(const nlohmann::json& properties) {
  std::set<std::string> keys;
  for (const auto& [key, _] : properties.items()) keys.insert(key);
  return keys;
}

TEST(Config, has_the_keys_of_its_schema) {
  const auto schema = nlohmann::json::parse(contents(MSCI_SCHEMAS "/config.schema.json"));
  const auto& properties = schema["properties"];
  EXPECT_EQ(keys_of(properties), keys_in(error_of(R"({"#": 1})")));
  EXPECT_EQ(keys_of(properties["overrides"]["items"]["properties"]),
            keys_in(error_of(R"({"overrides": [{"files": [], "#": 1}]})")));
}

TEST(Config, takes_the_values_of_its_schema) {
  const auto schema = nlohmann::json::parse(contents(MSCI_SCHEMAS "/config.schema.json"));
  const auto& definitions = schema["$defs"];
  std::vector<std::string> versions;
  for (const auto& version : language_versions()) versions.push_back(spelling_of(version));
  EXPECT_EQ(definitions["std"]["anyOf"][0]["enum"], versions);
  for (const auto& [key, _] : schema["properties"].items()) {
    if (key == "$schema" || key == "extends") continue;
    const auto& kind = definitions.contains(key) ? definitions[key] : schema["properties"][key];
    const std::string type = kind["type"];
    const auto value = type == "array"     ? "[]"
                       : type == "object"  ? "{}"
                       : type == "boolean" ? "true"
                                           : kind["examples"][0].dump();
    EXPECT_EQ(error_of(fmt::format("{{\"{}\": {}}}", key, value)), "none") << key;
    EXPECT_NE(error_of(fmt::format("{{\"{}\": 7}}", key)), "none") << key;
  }
  EXPECT_EQ(error_of(R"({"$schema": "https://x.invalid"})"), "none");
}

TEST(Config, extends_another_one) {
  const Folder folder;
  folder.write("base/base.json", R"({"select": ["metal", "hazard"], "ignore": ["hazard.race"],
    "severity": {"slow": "off"}, "std": "metal3.0", "include_folders": ["include"],
    "exclude": ["old"], "define": ["A"]})");
  folder.write(".msci.json", R"({"extends": "base/base.json", "select": ["metal"],
    "ignore": ["metal.restrict"], "severity": {"slow": "note"}, "std": "metal3.2",
    "exclude": ["new"], "define": ["B"]})");
  const auto config = read_config(folder / ".msci.json");
  ASSERT_TRUE(config) << config.error().message;
  EXPECT_EQ(config->path, folder / ".msci.json");
  EXPECT_EQ(config->select, std::vector<std::string>{"metal"});
  EXPECT_EQ(config->ignore, (std::vector<std::string>{"hazard.race", "metal.restrict"}));
  EXPECT_EQ(config->severity, (std::vector<Override>{{"slow", {}}, {"slow", Severity::note}}));
  EXPECT_EQ(config->compile.version->number, 320u);
  EXPECT_EQ(config->compile.include_folders, std::vector<std::string>{folder / "base/include"});
  EXPECT_EQ(config->compile.macros, (std::vector<MacroOption>{{"A"}, {"B"}}));
  EXPECT_TRUE(excludes(*config, folder / "old/a.metal"));
  EXPECT_TRUE(excludes(*config, folder / "new/a.metal"));
}

TEST(Config, cannot_extend_itself_or_what_is_absent) {
  const Folder folder;
  const auto path = folder.write("a.json", R"({"extends": "b.json"})");
  EXPECT_NE(read_config(path).error().message.find("\"extends\": cannot read"), std::string::npos);
  folder.write("b.json", R"({"extends": "a.json"})");
  EXPECT_EQ(read_config(path).error().message, path + ": \"extends\": " + folder / "b.json" +
                                                   ": \"extends\": " + path + " extends itself");
  for (unsigned i = 0; i < 20; ++i)
    folder.write("chain" + std::to_string(i) + ".json",
                 R"({"extends": "chain)" + std::to_string(i + 1) + R"(.json"})");
  EXPECT_NE(read_config(folder / "chain0.json").error().message.find("more than 16 configurations"),
            std::string::npos);
}

TEST(Config, sets_rules_for_some_files) {
  const Folder folder;
  folder.write(".msci.json", R"({"ignore": ["slow"], "overrides": [
    {"files": ["gen/"], "select": ["metal"], "ignore": ["metal.restrict"],
     "severity": {"metal": "note"}}]})");
  auto configs = Configs::nearest();
  const auto of_gen = configs.of(folder / "gen/a.metal");
  EXPECT_EQ(of_gen->select, std::vector<std::string>{"metal"});
  EXPECT_EQ(of_gen->ignore, (std::vector<std::string>{"slow", "metal.restrict"}));
  EXPECT_EQ(of_gen->severity, (std::vector<Override>{{"metal", Severity::note}}));
  EXPECT_EQ(configs.of(folder / "a.metal")->ignore, std::vector<std::string>{"slow"});
  EXPECT_TRUE(configs.of(folder / "a.metal")->select.empty());
}

TEST(Config, of_the_nearest_folder_holds) {
  const Folder folder;
  folder.write(".msci.json", R"({"select": ["outer"]})");
  folder.write("a/.msci.json", R"({"select": ["inner"]})");
  folder.write("a/b/c/x.metal", "");
  auto configs = Configs::nearest();
  const auto select = [&](const std::string& file) { return configs.of(file)->select.front(); };
  EXPECT_EQ(select(folder / "x.metal"), "outer");
  EXPECT_EQ(select(folder / "d/e/x.metal"), "outer");
  EXPECT_EQ(select(folder / "a/x.metal"), "inner");
  EXPECT_EQ(select(folder / "a/b/c/x.metal"), "inner");
  EXPECT_EQ(select(folder / "a/b/../../x.metal"), "outer");
}

TEST(Config, that_is_given_holds_everywhere) {
  const Folder folder;
  folder.write(".msci.json", "no configuration");
  auto nearest = Configs::nearest();
  EXPECT_FALSE(nearest.of(folder / "x.metal"));
  auto always = Configs::always({.select = {"given"}});
  EXPECT_EQ(always.of(folder / "x.metal")->select.front(), "given");
}

TEST(Config, excludes_names_and_paths) {
  const auto excluded = [](std::string pattern, const std::string& path) {
    return excludes({.path = "/p/.msci.json", .exclude = {std::move(pattern)}}, path);
  };
  EXPECT_TRUE(excluded("build", "/p/build"));
  EXPECT_TRUE(excluded("build/", "/p/a/build/x.metal"));
  EXPECT_TRUE(excluded("*.gen.metal", "/p/a/x.gen.metal"));
  EXPECT_FALSE(excluded("*.gen.metal", "/p/a/x.metal"));
  EXPECT_TRUE(excluded("a/b", "/p/a/b/x.metal"));
  EXPECT_TRUE(excluded("/a", "/p/a/x.metal"));
  EXPECT_TRUE(excluded("a/*.metal", "/p/a/x.metal"));
  EXPECT_FALSE(excluded("a/*.metal", "/p/a/b/x.metal"));
  EXPECT_FALSE(excluded("a/b", "/p/c/a/b/x.metal"));
  EXPECT_FALSE(excluded("build", "/build/p/x.metal"));
}

}  // namespace
}  // namespace msci
