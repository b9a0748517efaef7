# The C tests: tests/c on the program's own objects.

TESTS     := $(patsubst %.c,$(BUILD)/%,$(wildcard tests/c/*_test.c))
TEST_CC    = $(CC) $(CPPFLAGS) $(call PKG_OF,--cflags,$(PKGS) cmocka) $(BASE_CFLAGS) $(CFLAGS) $(EXPORT)
TEST_LIBS  = $(LDFLAGS) $(LDLIBS) $(call PKG_OF,--libs,cmocka)

$(BUILD)/tests/c/%_test: tests/c/%_test.c $(CORE) | deps-check
	@mkdir -p $(@D)
	$(call say,CC,$<)
	$(Q)$(TEST_CC) -MMD -MP -MF $@.d -o $@ $< $(CORE) $(TEST_LIBS)

# The module that packs pictures with the library that this system's build does not take, for the
# test of both.
$(BUILD)/tests/c/png_test: LDLIBS += -lz
ifeq ($(PACK),isal)
$(BUILD)/tests/pack/encoders.so: $(filter-out %/pack_isal.o,$(filter $(BUILD)/src/image/encoders/%,$(MOD_OBJ))) \
  src/image/encoders/pack_libdeflate.c
	@mkdir -p $(@D)
	$(call say,LINK,$@)
	$(Q)$(CC) $(CPPFLAGS) $(BASE_CFLAGS) $(CFLAGS) -fPIC $(MODULE_LINK) $(LDFLAGS) -o $@ $^ \
	  $(call PKG_OF,--cflags --libs,libdeflate libturbojpeg)
TEST_SO := $(BUILD)/tests/pack/encoders.so
endif

-include $(TESTS:=.d)
