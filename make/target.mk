# The system and processor that $(CC) builds for, which need not be those of the machine that builds.

UNAME      := $(shell uname -s)
TARGET     := $(or $(shell $(CC) -dumpmachine 2>/dev/null),$(shell uname -m)-$(UNAME))
HERE       := $(if $(filter cc,$(CC)),$(TARGET),$(or $(shell cc -dumpmachine 2>/dev/null),$(shell uname -m)))
PROCESSOR   = $(firstword $(subst -, ,$(1)))
# The pkg-config of a cross compiler has a name like its own. If it is missing, the one of this machine
# would find libraries of another processor, unless it was told where to look.
ifeq ($(origin PKG_CONFIG),undefined)
PKG_CONFIG := $(if $(or $(filter $(call PROCESSOR,$(HERE)),$(call PROCESSOR,$(TARGET))),$(PKG_CONFIG_LIBDIR)$(PKG_CONFIG_SYSROOT_DIR)),,$(TARGET)-)pkg-config
endif
# What packs PNG, isal or libdeflate (src/image/encoders/pack.h says why). Another one wants another BUILD.
PACK       ?= $(if $(filter Linux-x86_64,$(UNAME)-$(call PROCESSOR,$(TARGET))),isal,libdeflate)
