# The libraries that the program links, and how pkg-config is asked for them. vendor/README.md says
# why each.

# Homebrew's "lua" is of another version than 5.4, and lua@5.4 is not linked into its prefix.
ifeq ($(UNAME),Darwin)
LUA_KEG  := $(firstword $(wildcard $(HOMEBREW_PREFIX:%=%/opt/lua@5.4/lib/pkgconfig) \
              /opt/homebrew/opt/lua@5.4/lib/pkgconfig /usr/local/opt/lua@5.4/lib/pkgconfig))
endif
ifdef LUA_KEG
export PKG_CONFIG_PATH := $(LUA_KEG)$(if $(PKG_CONFIG_PATH),:$(PKG_CONFIG_PATH))
endif
ASK       = PKG_CONFIG_PATH='$(PKG_CONFIG_PATH)' $(PKG_CONFIG) # $(shell) does not get what make exports
LUA      := $(firstword $(foreach name,lua5.4 lua-5.4 lua,$(if $(shell \
              $(ASK) --exists '$(name) >= 5.4' '$(name) < 5.5' 2>/dev/null && echo yes),$(name))) lua5.4)
PKGS     := $(LUA) libcjson libuv
# Headers of others are not ours to warn about. The system's own folder (a Mac's pkg-config names it)
# has its place already, after the compiler's.
PKG_OF    = $(patsubst -I%,-isystem %,$(filter-out -I%/usr/include,$(shell $(ASK) $(1) $(2) 2>/dev/null)))
LDLIBS    = $(call PKG_OF,--libs,$(PKGS)) -lpthread -lm -ldl

.PHONY: deps-check
deps-check:
	@PKG_CONFIG='$(PKG_CONFIG)' vendor/check-libraries $(PKGS) $(foreach m,$(MODULES),$(PKGS_$(m)))
