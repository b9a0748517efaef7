# Perigee. `make help` lists what can be made. Nothing is configured: pkg-config
# finds the libraries, and a missing one is named with the command to install it.

VERSION  := 0.1.0
BUILD    ?= build
PREFIX   ?= /usr/local
DESTDIR  ?=
CC       ?= cc
CFLAGS   ?= -O2 -g
WERROR   ?=          # -Werror where the compiler is known: .ci/run
WARN      = -Wall -Wextra -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wpointer-arith \
            -Wwrite-strings -Wundef -Wvla $(WERROR)
SANITIZE ?=
Q        := $(if $(V),,@)
say       = $(if $(V),@:,@printf '  %-5s %s\n' $(1) $(2))
UNAME    := $(shell uname -s)

# --- libraries (vendor/README.md says why each) -------------------------------
# Homebrew's "lua" is of another version than 5.4, and what stands beside it is not linked into its prefix.
ifeq ($(UNAME),Darwin)
LUA_KEG  := $(firstword $(wildcard $(HOMEBREW_PREFIX:%=%/opt/lua@5.4/lib/pkgconfig) \
              /opt/homebrew/opt/lua@5.4/lib/pkgconfig /usr/local/opt/lua@5.4/lib/pkgconfig))
endif
ifdef LUA_KEG
export PKG_CONFIG_PATH := $(LUA_KEG)$(if $(PKG_CONFIG_PATH),:$(PKG_CONFIG_PATH))
endif
PKG_CONFIG = PKG_CONFIG_PATH='$(PKG_CONFIG_PATH)' pkg-config # what make exports, its own $(shell) does not get
LUA      := $(firstword $(foreach name,lua5.4 lua-5.4 lua,$(if $(shell \
              $(PKG_CONFIG) --exists '$(name) >= 5.4' '$(name) < 5.5' 2>/dev/null && echo yes),$(name))) lua5.4)
PKGS     := $(LUA) libcjson libuv
# Headers of others are not ours to warn about. The system's own folder (a Mac's pkg-config names it) has
# its place already, after the compiler's.
PKG_OF   = $(patsubst -I%,-isystem %,$(filter-out -I%/usr/include,$(shell $(PKG_CONFIG) $(1) $(2) 2>/dev/null)))

CPPFLAGS += -Isrc -D_GNU_SOURCE -DPERIGEE_VERSION='"$(VERSION)"' -DPERIGEE_PREFIX='"$(PREFIX)"'
BASE_CFLAGS = -std=c11 -fno-strict-aliasing -fstack-protector-strong $(WARN) $(SANITIZE)
LDLIBS   = $(call PKG_OF,--libs,$(PKGS)) -lpthread -lm -ldl
ifeq ($(UNAME),Darwin)
MODULE_LINK := -bundle -undefined dynamic_lookup
MAC_PLIST   := $(BUILD)/Info.plist
PROGRAM_LINK := -Wl,-sectcreate,__TEXT,__info_plist,$(MAC_PLIST)
ifdef UNIVERSAL          # make UNIVERSAL=1: needs libraries for both processors
override CFLAGS += -arch arm64 -arch x86_64
endif
else
MODULE_LINK := -shared -Wl,-Bsymbolic   # a module's own names before the program's
EXPORT   := -rdynamic
endif

# --- sources ------------------------------------------------------------------
# src/modules/NAME/*.c become $(BUILD)/modules/NAME.so, opened on first use (`desktop` is
# this system's part of src/platform); everything else under src is the program.
MODULES     := net http regex edit image crypto
PKGS_net    := libcurl
PKGS_http   := libmicrohttpd
PKGS_regex  := libpcre2-8
PKGS_edit   := libedit
# What packs PNG, isal or libdeflate: src/modules/image/pack.h. Another one wants another BUILD.
PACK        ?= $(if $(filter Linux-x86_64,$(UNAME)-$(shell uname -m)),isal,libdeflate)
PKGS_image  := $(patsubst isal,libisal,$(PACK)) libturbojpeg
PKGS_crypto := hogweed nettle gmp
MODULES     += desktop
ifeq ($(UNAME),Darwin)
FROM_desktop := src/platform/macos
LIBS_desktop := $(patsubst %,-framework %,AppKit ApplicationServices Carbon CoreFoundation CoreGraphics \
                  CoreServices Foundation ImageIO Security OSAKit) -weak_framework ScreenCaptureKit
else
FROM_desktop := src/platform/x11
PKGS_desktop := x11 x11-xcb xcb xcb-res xtst xext xi xrandr xfixes xcomposite xkbcommon
endif
module_dir   = $(or $(FROM_$(1)),src/modules/$(1))

SRC      := $(shell find src -name '*.c' -not -path 'src/modules/*' -not -path 'src/platform/*/*')
OBJ      := $(SRC:%.c=$(BUILD)/%.o)
CORE     := $(filter-out $(BUILD)/src/main.o,$(OBJ))
MOD_SRC  := $(shell find $(foreach m,$(MODULES),$(call module_dir,$(m))) -name '*.[cm]' 2>/dev/null)
MOD_SRC  := $(filter-out $(filter-out %/pack_$(PACK).c,$(wildcard src/modules/image/pack_*.c)),$(MOD_SRC))
DESKTOP_SRC := $(filter $(FROM_desktop)/%,$(MOD_SRC))
MOD_HAVE := $(foreach m,$(MODULES),$(if $(wildcard $(call module_dir,$(m))/*.c),$(m)))
MOD_SO   := $(MOD_HAVE:%=$(BUILD)/modules/%.so)
TESTS    := $(patsubst %.c,$(BUILD)/%,$(wildcard tests/c/*_test.c))
MOD_OBJ  := $(patsubst %,$(BUILD)/%.o,$(basename $(MOD_SRC)))
DEP      := $(OBJ:.o=.d) $(MOD_OBJ:.o=.d) $(TESTS:=.d)

.PHONY: all sign demo test test-mac check check-macos asan bench conformance docs install uninstall clean help deps-check fmt unit
all: $(BUILD)/perigee $(MOD_SO)


deps-check:
	@vendor/check-libraries $(PKGS) $(foreach m,$(MOD_HAVE),$(PKGS_$(m)))

$(BUILD)/perigee: $(OBJ) $(MAC_PLIST)
	$(call say,LINK,$@)
	$(Q)$(CC) $(CFLAGS) $(SANITIZE) $(EXPORT) $(PROGRAM_LINK) $(LDFLAGS) -o $@ $(OBJ) $(LDLIBS)

$(BUILD)/Info.plist: packaging/macos/Info.plist
	@mkdir -p $(@D)
	$(Q)sed 's/@VERSION@/$(VERSION)/' $< > $@

# IDENTITY=- (ad hoc) is enough to run; a certificate of your own keeps the permissions from build to
# build (docs/macos.md).
IDENTITY ?= -
sign: all ## on a Mac: sign the program and its modules (IDENTITY="name of a certificate")
	codesign --force --sign "$(IDENTITY)" $(MOD_SO)
	codesign --force --sign "$(IDENTITY)" --options runtime --identifier io.perigee.perigee \
	  --entitlements packaging/macos/perigee.entitlements $(BUILD)/perigee

MOD_CC    = $(CC) $(CPPFLAGS) $(call PKG_OF,--cflags,$(PKGS) $(foreach m,$(MODULES),$(PKGS_$(m)))) \
            $(BASE_CFLAGS) $(CFLAGS) -fPIC -MMD -MP -c

$(patsubst %.c,$(BUILD)/%.o,$(filter %.c,$(MOD_SRC))): $(BUILD)/%.o: %.c | deps-check
	@mkdir -p $(@D)
	$(call say,CC,$<)
	$(Q)$(MOD_CC) -o $@ $<

$(patsubst %.m,$(BUILD)/%.o,$(filter %.m,$(MOD_SRC))): $(BUILD)/%.o: %.m | deps-check
	@mkdir -p $(@D)
	$(call say,OBJC,$<)
	$(Q)$(patsubst -std=c11,-std=gnu11,$(MOD_CC)) -fobjc-arc -fblocks -o $@ $<

$(BUILD)/src/%.o: src/%.c | deps-check
	@mkdir -p $(@D)
	$(call say,CC,$<)
	$(Q)$(CC) $(CPPFLAGS) $(call PKG_OF,--cflags,$(PKGS)) $(BASE_CFLAGS) $(CFLAGS) -MMD -MP -c -o $@ $<

# Pictures: GCC makes vectors of their loops at -O3 only.
$(BUILD)/src/image/%.o $(BUILD)/src/modules/image/%.o: CFLAGS := $(CFLAGS:-O2=-O3)

define module_rule
$(BUILD)/modules/$(1).so: $(filter $(BUILD)/$(call module_dir,$(1))/%,$(MOD_OBJ))
	@mkdir -p $$(@D)
	$$(call say,LINK,$$@)
	$$(Q)$$(CC) $$(CFLAGS) $$(SANITIZE) $(MODULE_LINK) $$(LDFLAGS) -o $$@ $$^ $(LIBS_$(1)) $$(call PKG_OF,--libs,$(PKGS_$(1)))
endef
$(foreach m,$(MOD_HAVE),$(eval $(call module_rule,$(m))))

# --- tests --------------------------------------------------------------------
$(BUILD)/tests/c/%_test: tests/c/%_test.c $(CORE) | deps-check
	@mkdir -p $(@D)
	$(call say,CC,$<)
	$(Q)$(CC) $(CPPFLAGS) $(call PKG_OF,--cflags,$(PKGS) cmocka) $(BASE_CFLAGS) $(CFLAGS) $(EXPORT) \
	  -MMD -MP -MF $@.d -o $@ $< $(CORE) $(LDFLAGS) $(LDLIBS) $(call PKG_OF,--libs,cmocka)

# The module image with the library that this system's build does not take, for the test of both.
$(BUILD)/tests/c/png_test: LDLIBS += -lz
ifeq ($(PACK),isal)
$(BUILD)/tests/pack/image.so: $(filter-out %/pack_isal.o,$(filter $(BUILD)/src/modules/image/%,$(MOD_OBJ))) \
  src/modules/image/pack_libdeflate.c
	@mkdir -p $(@D)
	$(call say,LINK,$@)
	$(Q)$(CC) $(CPPFLAGS) $(BASE_CFLAGS) $(CFLAGS) -fPIC $(MODULE_LINK) $(LDFLAGS) -o $@ $^ \
	  $(call PKG_OF,--cflags --libs,libdeflate libturbojpeg)
TEST_SO := $(BUILD)/tests/pack/image.so
endif

# The macOS backend on a simulation of what it calls (tests/macos/sim), under the same tests.
MAC_SIM   := $(filter-out %.m,$(shell find src/platform/macos tests/macos/sim -name '*.c'))
MAC_FLAGS := -DSTAGE_MACOS -DINPUT_GUARD='"tests/macos/doubles/input_guard"' -DSCREENCAPTURE='"tests/macos/doubles/screencapture"' -Itests/macos/sim -Itests/macos/sim/include -Itests/macos/include
MAC_TESTS := $(patsubst %,$(BUILD)/tests/macos/platform_%_test,windows apps input text clipboard capture) \
             $(patsubst tests/macos/%.c,$(BUILD)/tests/macos/%,$(wildcard tests/macos/*_test.c))
ifeq ($(UNAME),Darwin)
MAC_TESTS :=
endif

DEP += $(MAC_SIM:%.c=$(BUILD)/sim/%.d) $(MAC_TESTS:=.d)

$(MAC_SIM:%.c=$(BUILD)/sim/%.o): $(BUILD)/sim/%.o: %.c | deps-check
	@mkdir -p $(@D)
	$(call say,CC,$<)
	$(Q)$(CC) $(CPPFLAGS) $(MAC_FLAGS) $(BASE_CFLAGS) $(CFLAGS) -MMD -MP -c -o $@ $<

MAC_LINK   = $(CC) $(CPPFLAGS) $(MAC_FLAGS) $(call PKG_OF,--cflags,$(PKGS) cmocka) $(BASE_CFLAGS) $(CFLAGS) \
             $(EXPORT) -Itests/c -MMD -MP -MF $@.d -o $@ $< $(MAC_SIM:%.c=$(BUILD)/sim/%.o) $(CORE) $(LDFLAGS) \
             $(LDLIBS) $(call PKG_OF,--libs,cmocka)
$(BUILD)/tests/macos/platform_%_test: tests/c/platform_%_test.c $(MAC_SIM:%.c=$(BUILD)/sim/%.o) $(CORE)
	@mkdir -p $(@D)
	$(call say,CC,$@)
	$(Q)$(MAC_LINK)
$(BUILD)/tests/macos/%_test: tests/macos/%_test.c $(MAC_SIM:%.c=$(BUILD)/sim/%.o) $(CORE)
	@mkdir -p $(@D)
	$(call say,CC,$<)
	$(Q)$(MAC_LINK)

# Fuzz targets: with a main of their own they play back what was found, with clang's they search.
FUZZERS  := json schema sse text token message http
FUZZ_MAIN ?= tests/fuzz/replay.c
FUZZ_BIN  = $(FUZZERS:%=$(BUILD)/tests/fuzz/%) $(BUILD)/tests/fuzz/modules/http.so

$(FUZZERS:%=$(BUILD)/tests/fuzz/%): $(BUILD)/tests/fuzz/%: tests/fuzz/%.c tests/fuzz/world.c \
  $(FUZZ_MAIN) $(wildcard tests/fuzz/*.h) $(CORE) | deps-check
	@mkdir -p $(@D)
	$(call say,CC,$<)
	$(Q)$(CC) $(CPPFLAGS) $(call PKG_OF,--cflags,$(PKGS)) $(BASE_CFLAGS) $(CFLAGS) $(EXPORT) -o $@ \
	  $(filter %.c %.o,$^) $(LDFLAGS) $(LDLIBS) $(FUZZ_LINK)

# A double of the module http, beside the other modules as they are.
$(BUILD)/tests/fuzz/modules/http.so: tests/fuzz/httpd_double.c tests/fuzz/httpd_double.h $(MOD_SO)
	@mkdir -p $(@D)
	$(call say,LINK,$@)
	$(Q)ln -sf $(abspath $(filter-out %/http.so,$(MOD_SO))) $(@D)
	$(Q)$(CC) $(CPPFLAGS) $(BASE_CFLAGS) $(CFLAGS) -fPIC $(MODULE_LINK) -o $@ $<

.PHONY: fuzz fuzzers
fuzzers: $(FUZZ_BIN)

fuzz: ## search the parsers for FUZZ_SECONDS (60); finds go to build/fuzz/found
	@vendor/install build check
	@$(MAKE) --no-print-directory fuzzers BUILD=build/fuzz CC=clang CFLAGS="-O1 -g -fno-omit-frame-pointer" \
	  SANITIZE="-fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=undefined" \
	  FUZZ_MAIN= FUZZ_LINK=-fsanitize=fuzzer
	@tests/fuzz/run

# --- install ------------------------------------------------------------------
# The program finds its Lua files and modules from where it lies: PREFIX may be moved as a whole.
BIN      = $(DESTDIR)$(PREFIX)/bin
LIB      = $(DESTDIR)$(PREFIX)/lib/perigee
SHARE    = $(DESTDIR)$(PREFIX)/share/perigee
MAN      = $(DESTDIR)$(PREFIX)/share/man/man1

install: all ## into PREFIX (/usr/local), below DESTDIR if that is set
	install -d "$(BIN)" "$(LIB)/modules" "$(SHARE)" "$(MAN)"
	rm -rf "$(SHARE)/lua"
	install -m 755 $(BUILD)/perigee "$(BIN)/perigee"
	install -m 755 $(MOD_SO) "$(LIB)/modules"
	find lua -name __pycache__ -prune -o -type d -exec install -d "$(SHARE)/{}" \;
	find lua -name __pycache__ -prune -o -type f -exec install -m 644 {} "$(SHARE)/{}" \;
	install -m 644 man/perigee.1 "$(MAN)/perigee.1"

uninstall: ## takes away what install put there
	rm -f "$(BIN)/perigee" "$(MAN)/perigee.1"
	rm -rf "$(LIB)" "$(SHARE)"

unit: all $(TESTS) $(TEST_SO) $(MAC_TESTS) $(FUZZ_BIN)

test: ## everything, without a display, a key or a GPU; ends in "N passed, N failed"
	@vendor/install build demo test
	@tests/clients/install
	@tests/conformance/install
	@$(MAKE) --no-print-directory unit
	@BUILD=$(BUILD) tests/run

test-mac: all ## on a Mac: the desktop's tests against the real system, with TextEdit; hands off for a minute
	@PERIGEE_TEST_MAC=1 BUILD=$(BUILD) tests/run desktop/lua_mac

asan: ## the same suites under AddressSanitizer and UBSan
	@vendor/install build demo test
	@tests/clients/install
	@tests/conformance/install
	@$(MAKE) --no-print-directory unit BUILD=build/asan CFLAGS="-O1 -g -fno-omit-frame-pointer" \
	  SANITIZE="-fsanitize=address,undefined -fno-sanitize-recover=undefined"
	@tests/run --asan

conformance: all ## the official conformance suite of MCP, fetched from npm
	@tests/conformance/install
	@BUILD=$(BUILD) tests/run conformance; status=$$?; \
	  sed -n 's/^# \(.* of [0-9]* scenarios.*\)/\1/p' $(BUILD)/test-logs/conformance-*.log; exit $$status

bench: all ## speed and memory beside floors and peers
	@vendor/install build test bench
	@tests/bench/run.py
	@tests/bench/desktop_bench.py

demo: ## an agent draws a rectangle on a slide, writes TEXT in it and exports it
	@vendor/install build demo
	@$(MAKE) --no-print-directory all
	@examples/demo/run

# --- checks -------------------------------------------------------------------
# Each says what it looks at; a tool that is not installed is named and skipped.
check: all ## format, static analysis, layers, stubs, docs/tools.md
	@PERIGEE=$(BUILD)/perigee tests/check

docs: all ## docs/tools.md, the tool reference, from the tools
	@$(BUILD)/perigee tools --markdown --no-user-root > docs/tools.md.new
	@mv docs/tools.md.new docs/tools.md

fmt: ## format the C files
	@git ls-files '*.c' '*.h' | xargs clang-format -i

check-macos: ## the macOS half: compiled, analyzed and linked here (docs/macos.md)
	@tests/macos/check

print-%:
	@echo $($*)

help: ## this list
	@printf 'make targets:\n  %-9s %s\n' "all" "the program and its modules, in $(BUILD)/"
	@sed -n 's/^\([a-z-]*\):[^#]*## \(.*\)/  \1 \2/p' Makefile | awk '{n=$$1; $$1=""; printf "  %-9s%s\n", n, $$0}'
	@printf 'variables: PREFIX DESTDIR BUILD CC CFLAGS V=1 (show commands)\n'

-include $(DEP)

clean: ## remove what was built
	rm -rf build
