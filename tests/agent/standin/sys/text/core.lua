--- A stand-in for sys.text.core: what sys.text's has.
return require "standin.sys.text"
