#include "onnxport/custom_nodes.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace onnxport::custom_nodes_test {
namespace {

TEST(Mapping, IsReadFromText) {
  const struct {
    const char* text;
    const char* op;
    const char* node;
    std::vector<std::string> arguments;
  } cases[] = {
      {"my_ops::relu6=com.example.Relu6", "my_ops::relu6", "com.example.Relu6", {}},
      {"my_ops::relu6.out=Relu", "my_ops::relu6.out", "Relu", {}},
      {" a::b ( x , n ) = c.D ", "a::b", "c.D", {"x", "n"}},
  };
  for (const auto& test : cases) {
    const auto mapping = ParseMapping(test.text);
    ASSERT_TRUE(mapping) << test.text;
    EXPECT_EQ(mapping->op, test.op);
    EXPECT_EQ(mapping->node, test.node);
    EXPECT_EQ(mapping->arguments, test.arguments);
  }
}

TEST(Mapping, AMistakeShowsTheForm) {
  for (const char* text : {"", "=", "my_ops::relu6", "relu6=A", "my_ops::=A", "::relu=A", "a::b=", "a::b=.C", "a::b=c.",
                           "a::b=c..D", "a::b(=C", "a::b(x,)=C", "a::b()=C", "a::b(x)y=C", "a::b=C D", "a::b.=C"}) {
    const auto mapping = ParseMapping(text);
    ASSERT_FALSE(mapping) << text;
    EXPECT_EQ(mapping.error().kind(), ErrorKind::kUsage);
    EXPECT_NE(mapping.error().Text().find("NAMESPACE::OPERATOR=DOMAIN.NODE"), std::string::npos) << text;
  }
}

TEST(Domain, IsReadFromText) {
  const auto domain = ParseDomain("com.example=12");
  ASSERT_TRUE(domain);
  EXPECT_EQ(*domain, (DomainVersion{"com.example", 12}));
  for (const char* text : {"", "com.example", "com.example=", "=1", "a=0", "a=-1", "a=1x", "a b=1", "a=99999999999"}) {
    EXPECT_FALSE(ParseDomain(text)) << text;
  }
}

}  // namespace
}  // namespace onnxport::custom_nodes_test
