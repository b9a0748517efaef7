# How the program and its modules are compiled and linked.

CPPFLAGS   += -Isrc -D_GNU_SOURCE -DPERIGEE_VERSION='"$(VERSION)"' -DPERIGEE_PREFIX='"$(PREFIX)"'
BASE_CFLAGS = -std=c11 -fno-strict-aliasing -fstack-protector-strong $(WARN) $(SANITIZE)
ifeq ($(UNAME),Darwin)
MODULE_LINK  := -bundle -undefined dynamic_lookup
MAC_PLIST    := $(BUILD)/Info.plist
PROGRAM_LINK := -Wl,-sectcreate,__TEXT,__info_plist,$(MAC_PLIST)
ifdef UNIVERSAL          # make UNIVERSAL=1: needs libraries for both processors
override CFLAGS += -arch arm64 -arch x86_64
endif
else
MODULE_LINK  := -shared -Wl,-Bsymbolic   # a module's own names before the program's
EXPORT       := -rdynamic
endif

MODULES  := $(notdir $(MODULE_DIRS))
MORE     := $(foreach m,$(MODULES),$(MORE_$(m)))
# The module of Python guests is the interpreter's, not ours: it has the jail's files in it, and no sanitizers.
PYTHON_JAIL := src/guest/jail/python_jail
SRC      := $(shell find src -name '*.c' $(foreach d,$(MODULE_DIRS) $(MORE) $(ELSEWHERE) $(PYTHON_JAIL),-not -path '$(d)/*'))
OBJ      := $(SRC:%.c=$(BUILD)/%.o)
CORE     := $(filter-out $(BUILD)/src/main.o,$(OBJ))
MOD_SRC  := $(shell find $(MODULE_DIRS) $(MORE) -name '*.[cm]')
MOD_SRC  := $(filter-out $(filter-out %/pack_$(PACK).c,$(wildcard src/image/encoders/pack_*.c)),$(MOD_SRC))
DESKTOP_SRC := $(filter $(DESKTOPS:%=src/platform/%/%),$(MOD_SRC))
MOD_SO   := $(MODULES:%=$(BUILD)/modules/%.so) $(BUILD)/modules/python_jail.so
MOD_OBJ  := $(patsubst %,$(BUILD)/%.o,$(basename $(MOD_SRC)))

# What can be left out is not left out without a word.
LEFT_OUT := $(if $(filter yes,$(WITH_MAIL)),,mail:GMime) $(if $(filter yes,$(WITH_OCR)),,text-recognition:tesseract)

all: left-out
.PHONY: left-out
left-out: $(BUILD)/perigee $(MOD_SO)
	@for part in $(LEFT_OUT); do \
	  echo "built without $$(echo $${part%%:*} | tr - ' '): $${part##*:} is not here. Run vendor/install build, then make"; done

$(BUILD)/perigee: $(OBJ) $(MAC_PLIST)
	$(call say,LINK,$@)
	$(Q)$(CC) $(CFLAGS) $(SANITIZE) $(EXPORT) $(PROGRAM_LINK) $(LDFLAGS) -o $@ $(OBJ) $(LDLIBS)

COMPILE   = $(CC) $(CPPFLAGS) $(call PKG_OF,--cflags,$(PKGS)) $(BASE_CFLAGS) $(CFLAGS)
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

$(OBJ): $(BUILD)/%.o: %.c | deps-check
	@mkdir -p $(@D)
	$(call say,CC,$<)
	$(Q)$(COMPILE) -MMD -MP -c -o $@ $<

# Pictures: GCC makes vectors of their loops at -O3 only.
$(filter $(BUILD)/src/image/%,$(OBJ) $(MOD_OBJ)): CFLAGS := $(CFLAGS:-O2=-O3)

# $(1) is the module's name, $(2) its folder.
define module_rule
$(BUILD)/modules/$(1).so: $(foreach d,$(2) $(MORE_$(1)),$(filter $(BUILD)/$(d)/%,$(MOD_OBJ)))
	@mkdir -p $$(@D)
	$$(call say,LINK,$$@)
	$$(Q)$$(CC) $$(CFLAGS) $$(SANITIZE) $(MODULE_LINK) $$(LDFLAGS) -o $$@ $$^ $(LIBS_$(1)) $$(call PKG_OF,--libs,$(PKGS_$(1)))
endef
$(foreach d,$(MODULE_DIRS),$(eval $(call module_rule,$(notdir $(d)),$(d))))

$(BUILD)/modules/python_jail.so: $(wildcard $(PYTHON_JAIL)/*.c) $(filter-out %/jail.c,$(wildcard src/guest/jail/*.c)) \
  $(wildcard $(PYTHON_JAIL)/*.h src/guest/jail/*.h)
	@mkdir -p $(@D)
	$(call say,LINK,$@)
	$(Q)$(CC) $(CPPFLAGS) $(filter-out $(SANITIZE),$(BASE_CFLAGS)) $(CFLAGS) -fPIC $(MODULE_LINK) $(LDFLAGS) -o $@ $(filter %.c,$^)

-include $(OBJ:.o=.d) $(MOD_OBJ:.o=.d)
