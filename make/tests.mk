# The C tests: tests/c on the program's own objects. Their directories are those of src; a program's name
# has no directory, so no two tests may have one name.

TEST_SRC  := $(wildcard tests/c/*_test.c tests/c/*/*_test.c)
TESTS     := $(patsubst %.c,$(BUILD)/tests/c/%,$(notdir $(TEST_SRC)))
TEST_CC    = $(CC) $(CPPFLAGS) -Itests/c $(call PKG_OF,--cflags,$(PKGS) cmocka) $(BASE_CFLAGS) $(CFLAGS) $(EXPORT)
TEST_LIBS  = $(LDFLAGS) $(LDLIBS) $(call PKG_OF,--libs,cmocka)

vpath %_test.c $(sort $(dir $(TEST_SRC)))
$(BUILD)/tests/c/%_test: %_test.c $(CORE) | deps-check
	@mkdir -p $(@D)
	$(call say,CC,$<)
	$(Q)$(TEST_CC) -MMD -MP -MF $@.d -o $@ $< $(CORE) $(TEST_LIBS)

# The module that packs pictures with the library that this system's build does not take, for the
# test of both.
$(BUILD)/tests/c/png_test: LDLIBS += -lz
# Writes files of the kinds that the encoders do not make.
$(BUILD)/tests/c/decode_test: CPPFLAGS += $(call PKG_OF,--cflags,lept)
$(BUILD)/tests/c/decode_test: LDLIBS += $(call PKG_OF,--libs,lept)
ifeq ($(PACK),isal)
$(BUILD)/tests/pack/encoders.so: $(filter-out %/pack_isal.o,$(filter $(BUILD)/src/image/encoders/%,$(MOD_OBJ))) \
  src/image/encoders/pack_libdeflate.c
	@mkdir -p $(@D)
	$(call say,LINK,$@)
	$(Q)$(CC) $(CPPFLAGS) $(BASE_CFLAGS) $(CFLAGS) -fPIC $(MODULE_LINK) $(LDFLAGS) -o $@ $^ \
	  $(call PKG_OF,--cflags --libs,libdeflate libturbojpeg)
TEST_SO := $(BUILD)/tests/pack/encoders.so
endif

# What is measured from inside: tests/bench/*_bench.c on the same objects.
$(BUILD)/tests/bench/%_bench: tests/bench/%_bench.c $(CORE) | deps-check
	@mkdir -p $(@D)
	$(call say,CC,$<)
	$(Q)$(COMPILE) $(EXPORT) -o $@ $< $(CORE) $(LDFLAGS) $(LDLIBS)

# An earlier build noted these where they were then: not an error, but a reason to build again.
tests/c/%_test.c: ;
-include $(TESTS:=.d)
