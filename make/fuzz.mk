# Fuzz targets: with a main of their own they play back what was found, with clang's they search.

FUZZERS   := json schema sse request_head text token mail guest picture message http
FUZZ_MAIN ?= tests/fuzz/replay.c
FUZZ_EXE   = $(FUZZERS:%=$(BUILD)/tests/fuzz/%)
FUZZ_BIN   = $(FUZZ_EXE) $(BUILD)/tests/fuzz/modules/microhttpd.so

$(FUZZ_EXE): $(BUILD)/tests/fuzz/%: tests/fuzz/%.c tests/fuzz/world.c $(FUZZ_MAIN) $(wildcard tests/fuzz/*.h) \
  $(CORE) | deps-check
	@mkdir -p $(@D)
	$(call say,CC,$<)
	$(Q)$(COMPILE) $(EXPORT) -o $@ $(filter %.c %.o,$^) $(LDFLAGS) $(LDLIBS) $(FUZZ_LINK)

# A double of the module microhttpd, beside the other modules as they are.
$(BUILD)/tests/fuzz/modules/microhttpd.so: tests/fuzz/httpd_double.c tests/fuzz/httpd_double.h $(MOD_SO)
	@mkdir -p $(@D)
	$(call say,LINK,$@)
	$(Q)ln -sf $(abspath $(filter-out %/microhttpd.so,$(MOD_SO))) $(@D)
	$(Q)$(CC) $(CPPFLAGS) $(BASE_CFLAGS) $(CFLAGS) -fPIC $(MODULE_LINK) -o $@ $<

.PHONY: fuzz fuzz-shapes fuzzers
fuzzers: $(FUZZ_BIN)

fuzz: ## search the parsers for FUZZ_SECONDS (60); finds go to build/fuzz/found
	@vendor/install build check
	@$(MAKE) --no-print-directory $(ALL_CORES) fuzzers BUILD=build/fuzz CC=clang CFLAGS="-O1 -g -fno-omit-frame-pointer" \
	  SANITIZE="-fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=undefined" \
	  FUZZ_MAIN= FUZZ_LINK=-fsanitize=fuzzer
	@tests/fuzz/run

fuzz-shapes: all ## send odd lists and results of FUZZ_SHAPES (300) seeds through the commands and the gateway
	@PERIGEE=$(abspath $(BUILD))/perigee PERIGEE_ODD=$(or $(FUZZ_SHAPES),300) PERIGEE_TEST_GUARD=60 \
	  PERIGEE_ODD_FIRST=$(or $(FUZZ_FIRST),1) python3 tests/gateway/odd_test.py
