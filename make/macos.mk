# macOS: signing on a Mac, and where there is none its backend on a simulation of what it calls
# (tests/macos/sim), under the same tests.

.PHONY: app sign test-mac check-macos
# What macOS lists by name in its settings. bin/perigee is a link into it.
APP ?= $(BUILD)/Perigee.app
app: all $(BUILD)/Info.plist ## Perigee.app in BUILD: the program, its modules and Lua files as a Mac's bundle
	rm -rf "$(APP)"
	mkdir -p "$(APP)/Contents/MacOS" "$(APP)/Contents/PlugIns" "$(APP)/Contents/Resources"
	cp $(BUILD)/Info.plist "$(APP)/Contents/Info.plist"
	cp $(BUILD)/perigee "$(APP)/Contents/MacOS/perigee"
	cp $(MOD_SO) "$(APP)/Contents/PlugIns"
	cp -R lua "$(APP)/Contents/Resources/lua"
	find "$(APP)" -name __pycache__ -prune -exec rm -rf {} +

# IDENTITY=- (ad hoc) is enough to run; a certificate of your own keeps the permissions from build to
# build (docs/macos.md).
IDENTITY ?= -
sign: app ## on a Mac: sign the program, its modules and Perigee.app (IDENTITY="name of a certificate")
	codesign --force --sign "$(IDENTITY)" $(MOD_SO)
	codesign --force --sign "$(IDENTITY)" --options runtime --identifier io.perigee.perigee \
	  --entitlements packaging/macos/perigee.entitlements $(BUILD)/perigee
	codesign --force --sign "$(IDENTITY)" $(patsubst %,"$(APP)/Contents/PlugIns/%",$(notdir $(MOD_SO)))
	codesign --force --sign "$(IDENTITY)" --options runtime \
	  --entitlements packaging/macos/perigee.entitlements "$(APP)"

test-mac: all ## on a Mac: the desktop's tests against the real system, with TextEdit; hands off for a minute
	@PERIGEE_TEST_MAC=1 BUILD=$(BUILD) tests/run desktop/lua_mac

check-macos: ## compile, analyze and link the macOS half here (docs/macos.md)
	@tests/macos/check

$(BUILD)/Info.plist: packaging/macos/Info.plist
	@mkdir -p $(@D)
	$(Q)sed 's/@VERSION@/$(VERSION)/' $< > $@

ifneq ($(UNAME),Darwin)
# What starts a process is doubled: there it is a thread (tests/macos/sim/event_process.c).
MAC_SIM   := $(filter-out src/platform/macos/event_process_start.c,$(shell find src/platform/macos tests/macos/sim -name '*.c'))
MAC_OBJ   := $(MAC_SIM:%.c=$(BUILD)/sim/pic/%.o)
MAC_FLAGS := -DSTAGE_MACOS -DINPUT_GUARD='"tests/macos/doubles/input_guard"' \
             -DSCREENCAPTURE='"tests/macos/doubles/screencapture"' -DNOTIFY_BUDGET_S=2 -DNOTIFY_SHOWN_MOST=8 \
             -Itests/macos/sim -Itests/macos/sim/include -Itests/macos/include
MAC_TESTS := $(patsubst %,$(BUILD)/tests/macos/platform_%_test,windows apps input text clipboard capture elements field opening) \
             $(patsubst tests/macos/%.c,$(BUILD)/tests/macos/%,$(wildcard tests/macos/*_test.c))

$(MAC_OBJ): $(BUILD)/sim/pic/%.o: %.c | deps-check
	@mkdir -p $(@D)
	$(call say,CC,$<)
	$(Q)$(COMPILE) $(MAC_FLAGS) -fPIC -MMD -MP -c -o $@ $<

MAC_LINK   = $(TEST_CC) $(MAC_FLAGS) -MMD -MP -MF $@.d -o $@ $< $(MAC_OBJ) $(CORE) $(TEST_LIBS)
$(BUILD)/tests/macos/platform_%_test: tests/c/platform/platform_%_test.c $(MAC_OBJ) $(CORE)
	@mkdir -p $(@D)
	$(call say,CC,$@)
	$(Q)$(MAC_LINK)
$(BUILD)/tests/macos/%_test: tests/macos/%_test.c $(MAC_OBJ) $(CORE)
	@mkdir -p $(@D)
	$(call say,CC,$<)
	$(Q)$(MAC_LINK)

# As the desktop module of a program, beside links to the others: tests/macos/lua_sim_test.
MAC_MODULE := $(BUILD)/sim/modules/x11.so
$(MAC_MODULE): tests/macos/module/module.c $(MAC_OBJ) $(MOD_SO)
	@mkdir -p $(@D)
	$(call say,LINK,$@)
	$(Q)ln -sf $(patsubst %,../../modules/%,$(filter-out x11.so,$(notdir $(MOD_SO)))) $(@D)
	$(Q)$(COMPILE) $(MAC_FLAGS) -fPIC $(MODULE_LINK) $(LDFLAGS) -o $@ $< $(MAC_OBJ)

-include $(MAC_OBJ:.o=.d) $(MAC_TESTS:=.d)
endif
