# The program finds its Lua files and modules from where it lies: PREFIX may be moved as a whole.

BIN      = $(DESTDIR)$(PREFIX)/bin
LIB      = $(DESTDIR)$(PREFIX)/lib/perigee
SHARE    = $(DESTDIR)$(PREFIX)/share/perigee
MAN      = $(DESTDIR)$(PREFIX)/share/man/man1

.PHONY: install uninstall
install: all ## into PREFIX (/usr/local), below DESTDIR if that is set
	install -d "$(BIN)" "$(LIB)/modules" "$(SHARE)" "$(MAN)"
	rm -rf "$(SHARE)/lua"
	install -m 755 $(BUILD)/perigee "$(BIN)/perigee"
	install -m 755 $(MOD_SO) "$(LIB)/modules"
	find lua -name __pycache__ -prune -o -type d -exec install -d "$(SHARE)/{}" \;
	find lua -name __pycache__ -prune -o -type f -exec install -m 644 {} "$(SHARE)/{}" \;
	install -m 644 man/perigee.1 "$(MAN)/perigee.1"
ifeq ($(UNAME),Darwin)  # the program of the bundle, by a link
	$(MAKE) app
	rm -rf "$(LIB)/Perigee.app"
	cp -R "$(APP)" "$(LIB)/Perigee.app"
	ln -sf ../lib/perigee/Perigee.app/Contents/MacOS/perigee "$(BIN)/perigee"
endif

uninstall: ## remove what install put there
	rm -f "$(BIN)/perigee" "$(MAN)/perigee.1"
	rm -rf "$(LIB)" "$(SHARE)"
