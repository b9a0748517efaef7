# Perigee. `make help` lists the targets. Nothing is configured: pkg-config finds the libraries,
# and a missing one is named with the command that installs it.

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

.PHONY: all unit test test-desktop guide-pictures miniwob desktop-support asan check docs fmt bench conformance try-bare try-bare-part demo demo-video demo-animation demo-mail setup run-client run-server-dev lint help clean
all:                            # the program and its modules: make/program.mk has how

include make/target.mk

# --- what is built ------------------------------------------------------------
# A module is a folder named after the library that it links, built to $(BUILD)/modules/FOLDER.so and
# opened on first use. Every other folder of src is the program.
MODULE_DIRS      = src/http/client/curl src/http/server/microhttpd src/json/pattern/pcre2 src/xml/expat src/db/sqlite src/cli/libedit \
                   src/image/encoders src/image/leptonica src/base/nettle src/base/hogweed src/base/utf8proc $(DESKTOPS:%=src/platform/%)
PKGS_curl       := libcurl
MORE_curl       := src/mail/smtp    # a folder that the module holds besides its own
PKGS_microhttpd := libmicrohttpd
PKGS_pcre2      := libpcre2-8
PKGS_expat      := expat
PKGS_sqlite     := sqlite3
PKGS_libedit    := libedit
PKGS_encoders    = $(patsubst isal,libisal,$(PACK)) libturbojpeg
PKGS_leptonica  := lept
PKGS_nettle     := nettle
PKGS_hogweed    := hogweed nettle gmp
PKGS_utf8proc   := libutf8proc
# The desktops that this system has, each a module with a row in src/platform/backends.c.
ifeq ($(UNAME),Darwin)
DESKTOPS        := macos
LIBS_macos      := $(patsubst %,-framework %,AppKit ApplicationServices Carbon CoreFoundation CoreGraphics \
                     CoreServices Foundation IOKit ImageIO Security OSAKit UserNotifications) -weak_framework ScreenCaptureKit
ELSEWHERE       := src/platform/x11 src/platform/freedesktop src/platform/atspi src/process/libdbus  # of another system
else
DESKTOPS        := x11
MODULE_DIRS     += src/process/libdbus
PKGS_libdbus    := dbus-1
MORE_libdbus    := src/platform/atspi
PKGS_x11        := x11 x11-xcb xcb xcb-res xcb-xinput xcb-damage xcb-record xcb-xtest xext xrandr xfixes xcomposite xkbcommon
ELSEWHERE       := src/platform/macos
endif
# Text recognition is there where its library is, which `vendor/install build` brings.
PKGS_tesseract  := tesseract
WITH_OCR        ?= $(shell $(PKG_CONFIG) --exists tesseract 2>/dev/null && echo yes)
ifeq ($(WITH_OCR),yes)
MODULE_DIRS     += src/image/tesseract
else
ELSEWHERE       += src/image/tesseract
endif
# Mail is written and read where its library is, which `vendor/install build` brings. A login sets MAIL to the mailbox.
PKGS_gmime      := gmime-3.0
WITH_MAIL       ?= $(shell $(PKG_CONFIG) --exists gmime-3.0 2>/dev/null && echo yes)
ifeq ($(WITH_MAIL),yes)
MODULE_DIRS     += src/mail/gmime
else
ELSEWHERE       += src/mail/gmime
endif

# Scripts show windows where the toolkit is: `vendor/install ui`. A Mac has AppKit.
PKGS_gtk        := gtk+-3.0
WITH_UI         ?= $(if $(filter Darwin,$(UNAME)),,$(shell $(PKG_CONFIG) --exists gtk+-3.0 2>/dev/null && echo yes))
ifeq ($(WITH_UI),yes)
MODULE_DIRS     += src/platform/gtk
else
ELSEWHERE       += src/platform/gtk
endif

include make/libraries.mk make/program.mk make/tests.mk make/fuzz.mk make/macos.mk make/install.mk

# --- what is tested and checked -----------------------------------------------
# A test that was renamed must not also run from an earlier build.
unit: all $(TESTS) $(TEST_SO) $(MAC_TESTS) $(MAC_MODULE) $(FUZZ_BIN) ## build what `make test` runs
	@rm -f $(filter-out $(TESTS) $(MAC_TESTS),$(wildcard $(BUILD)/tests/c/*_test $(BUILD)/tests/macos/*_test))

# Clients, servers and suites of others, from npm and PyPI.
FETCHED = tests/clients/install tests/conformance/install tests/mail/install
.PHONY: fetch $(FETCHED)
fetch: $(FETCHED)
$(FETCHED):
	@$@

# All processors, unless -j says otherwise.
ALL_CORES = $(if $(findstring jobserver,$(MAKEFLAGS)),,-j$(shell getconf _NPROCESSORS_ONLN))

test: ## every test, without a display, a key or a GPU; ends in "N passed, N failed"
	@vendor/install build demo test
	@$(MAKE) --no-print-directory $(ALL_CORES) unit fetch
	@BUILD=$(BUILD) tests/run

test-desktop: ## more applications, window managers, clients and larger input than `make test` needs
	@vendor/install build demo test wide
	@$(MAKE) --no-print-directory $(ALL_CORES) unit fetch
	@BUILD=$(BUILD) tests/run desktop wide

guide-pictures: all ## make the pictures of docs/desktop.md again
	@PERIGEE=$(abspath $(BUILD)/perigee) tests/demo/guide_pictures.py

miniwob: ## tasks of MiniWoB++ in Chromium, solved by elements only (fetches the pages from PyPI)
	@vendor/install build demo test wide
	@$(MAKE) --no-print-directory $(ALL_CORES) all
	@tests/miniwob/install
	@PERIGEE=$(abspath $(BUILD)/perigee) tests/miniwob/run.py $(TASKS)

desktop-support: ## write docs/desktop-support.md: window managers and applications, every action (Linux)
	@vendor/install build test wide
	@$(MAKE) --no-print-directory $(ALL_CORES) all
	@PERIGEE=$(abspath $(BUILD)/perigee) tests/wide/managers_test.py --table docs/desktop-support.md
	@PERIGEE=$(abspath $(BUILD)/perigee) tests/wide/input_test.py --table docs/desktop-support.md

asan: ## the same suites under AddressSanitizer and UBSan
	@vendor/install build demo test
	@$(MAKE) --no-print-directory $(ALL_CORES) unit fetch BUILD=build/asan CFLAGS="-O1 -g -fno-omit-frame-pointer" \
	  SANITIZE="-fsanitize=address,undefined -fno-sanitize-recover=undefined"
	@tests/run --asan

check: all ## static checks: format, analysis, layers, stubs, docs; analysis of what changed, of all files with ALL=1
	@ALL=$(ALL) PERIGEE=$(BUILD)/perigee tests/check

docs: all ## write docs/tools.md from the tools, docs/lua from the declarations, and the commands' part of man/perigee.1
	@$(BUILD)/perigee tools --markdown --no-user-root > docs/tools.md.new
	@mv docs/tools.md.new docs/tools.md
	@$(BUILD)/perigee help --man --no-user-root < man/perigee.1 > man/perigee.1.new
	@mv man/perigee.1.new man/perigee.1
	@rm -f docs/lua/*.md
	@$(BUILD)/perigee help --lua docs/lua --no-user-root

fmt: ## format the C files
	@git ls-files '*.c' '*.h' | xargs clang-format -i

bench: all $(BUILD)/tests/bench/audit_bench ## measure speed and memory beside floors and peers, AGAINST=REV beside a revision
	@vendor/install build test bench
	@tests/bench/figures.py $(if $(AGAINST),--against $(AGAINST))
	@tests/bench/run.py
	@tests/bench/first_bench.py
	@tests/bench/guest_bench.py
	@tests/bench/python_bench.py
	@tests/bench/policy_bench.py
	@tests/bench/macro_bench.py
	@tests/bench/events_bench.py
	@$(BUILD)/tests/bench/audit_bench
	@tests/bench/desktop_bench.py
	@tests/bench/elements_bench.py
	@tests/bench/ocr_bench.py
	@tests/bench/vision_bench.py

conformance: all ## run the official conformance suite of MCP, fetched from npm
	@tests/conformance/install
	@BUILD=$(BUILD) tests/run conformance; status=$$?; \
	  sed -n 's/^# \(.* of [0-9]* .*scenarios.*\)/\1/p' $(BUILD)/test-logs/conformance-*.log; exit $$status

# As root. Before a release, for each Debian that the README names.
SUITE ?= trixie
try-bare: ## the README's commands in a minimal Debian, SUITE=bookworm or trixie, in a chroot
	@BUILD=$(BUILD) tests/bare/run $(SUITE)

try-bare-part: ## the suites that depend most on a system's libraries, as an ordinary user in a kept Debian
	@BUILD=$(BUILD) tests/bare/part $(SUITE)

demo: ## an agent draws a rectangle on a slide, writes TEXT in it and exports it
	@vendor/install build demo
	@$(MAKE) --no-print-directory all
	@examples/demo/run

demo-video: ## record the demo to demo/demo.mp4, with its terminal and log beside the slide (Linux)
	@vendor/install build demo video
	@$(MAKE) --no-print-directory all
	@PERIGEE=$(abspath $(BUILD)/perigee) examples/demo/video

# Few colors and pictures: it is in the repository, where README shows it.
docs/demo.gif: demo/demo.mp4
	$(Q)ffmpeg -y -loglevel error -i $< -vf "fps=5,tpad=stop_mode=clone:stop_duration=3,scale=1080:-1:flags=lanczos,split[a][b];[a]palettegen=max_colors=48:stats_mode=diff[p];[b][p]paletteuse=dither=none:diff_mode=rectangle" -loop 0 $@
demo-animation: demo-video ## record the demo, and make docs/demo.gif of it
	@$(MAKE) --no-print-directory docs/demo.gif
	@ls -l docs/demo.gif

# The slide of an earlier `make demo` is taken, so TEXT is for that one.
demo-mail: ## send the slide of the demo through an emulator of Gmail, and show the message that arrives
	@vendor/install build demo node
	@$(MAKE) --no-print-directory all
	@tests/mail/install
	@[ -s demo/slide.png ] || examples/demo/run
	@examples/demo/mail

setup: ## install what the program and its demo need, and build it
	@vendor/install build demo
	@$(MAKE) --no-print-directory all

# Their output is for programs: what make says about the build goes to stderr.
run-client: ## the agent: REQUEST="..."; without one it draws a rectangle on a slide (perigee agent)
	@$(MAKE) --no-print-directory all >&2
	@$(BUILD)/perigee agent $${REQUEST:+"$$REQUEST"}

run-server-dev: ## an MCP server on stdin and stdout that logs each call; it runs new code as soon as you save (perigee serve)
	@$(MAKE) --no-print-directory all >&2
	@$(BUILD)/perigee serve --log-calls

lint: check ## the same as check

help: ## this list, how to run one test alone, and how to debug it
	@printf 'make targets:\n  %-11s %s\n' "all" "the program and its modules, in $(BUILD)/"
	@sed -n 's/^\([a-z-]*\):[^#]*## \(.*\)/  \1 \2/p' $(MAKEFILE_LIST) | \
	  awk '{n=$$1; $$1=""; printf "  %-11s%s\n", n, $$0}'
	@printf 'variables: PREFIX DESTDIR BUILD CC PKG_CONFIG CFLAGS V=1 (show commands) ALL=1 (check all files again)\n'
	@sed -n '/^```text one test$$/,/^```$$/p' CONTRIBUTING.md | sed '/^```/d'

print-%:
	@echo $($*)

clean: ## remove what was built
	rm -rf build
