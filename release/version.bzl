"""Facts about a release that are not in its files."""

# In names of files; the packing fails where `onnxport/version.h` says another.
VERSION = "0.1.0"

# The maintainer of the Debian packages. lintian wants a mail address behind it, in <>: there is none yet, and none is
# made up.
MAINTAINER = "The onnxport authors"
