# The program finds its Lua files and modules from where it lies: PREFIX may be moved as a whole.

BIN      = $(DESTDIR)$(PREFIX)/bin
LIB      = $(DESTDIR)$(PREFIX)/lib/perigee
SHARE    = $(DESTDIR)$(PREFIX)/share/perigee
MAN      = $(DESTDIR)$(PREFIX)/share/man/man1
BASH     = $(DESTDIR)$(PREFIX)/share/bash-completion/completions/perigee
ZSH      = $(DESTDIR)$(PREFIX)/share/zsh/site-functions/_perigee
FISH     = $(DESTDIR)$(PREFIX)/share/fish/vendor_completions.d/perigee.fish
COMPLETE = $(BUILD)/perigee completions --no-user-root

.PHONY: install uninstall
install: all ## into PREFIX (/usr/local), below DESTDIR if that is set
	install -d "$(BIN)" "$(LIB)/modules" "$(SHARE)" "$(MAN)" "$(dir $(BASH))" "$(dir $(ZSH))" "$(dir $(FISH))"
	rm -rf "$(SHARE)/lua" "$(SHARE)/docs" "$(SHARE)/examples"
	install -m 755 $(BUILD)/perigee "$(BIN)/perigee"
	install -m 755 $(MOD_SO) "$(LIB)/modules"
	cp -R lua docs examples README.md "$(SHARE)"
	find "$(SHARE)" -name __pycache__ -prune -exec rm -rf {} +
	chmod -R u=rwX,go=rX "$(SHARE)"
	install -m 644 man/perigee.1 "$(MAN)/perigee.1"
	$(COMPLETE) bash >"$(BASH)"
	$(COMPLETE) zsh >"$(ZSH)"
	$(COMPLETE) fish >"$(FISH)"
	chmod 644 "$(BASH)" "$(ZSH)" "$(FISH)"
ifeq ($(UNAME),Darwin)  # the program of the bundle, by a link
	$(MAKE) app
	rm -rf "$(LIB)/Perigee.app"
	cp -R "$(APP)" "$(LIB)/Perigee.app"
	ln -sf ../lib/perigee/Perigee.app/Contents/MacOS/perigee "$(BIN)/perigee"
endif

uninstall: ## remove what install put there
	rm -f "$(BIN)/perigee" "$(MAN)/perigee.1" "$(BASH)" "$(ZSH)" "$(FISH)"
	rm -rf "$(LIB)" "$(SHARE)"
