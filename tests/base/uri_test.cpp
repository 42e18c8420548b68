#include "base/files/uri.h"

#include <gtest/gtest.h>

namespace msci {
namespace {

TEST(Uri, HoldsAnyPath) {
  EXPECT_EQ(uri_of("/a b/ü%.metal"), "file:///a%20b/%C3%BC%25.metal");
  EXPECT_EQ(uri_of("src/a.metal"), "src/a.metal");
  for (const std::string path : {"/a b/%41%.metal", "/\xff\x01", "/"})
    EXPECT_EQ(path_of(uri_of(path)), path);
}

TEST(Uri, KeepsWhatIsNoEscape) {
  EXPECT_EQ(path_of("file:///a%2"), "/a%2");
  EXPECT_EQ(path_of("file:///a%zz%"), "/a%zz%");
  EXPECT_EQ(path_of("file:///%4"), "/%4");
  EXPECT_EQ(path_of("untitled:One"), "untitled:One");
}

}  // namespace
}  // namespace msci
