# The clang configuration files of the build tree: build/dacead.cfg and its two variants.
#
# dacead.cfg        clang-22 and clang++-22
# dacead-lto.cfg    the same for link-time optimisation: the linker loads the plugin and sees all files
# dacead-flang.cfg  flang-22, which lacks -fplugin (there it is what makes -mllvm -dacead-... known)
#
# dacead_write_config_files(DESTINATION INCLUDE LIB) writes them into the folder DESTINATION. INCLUDE and LIB say where the header and
# the libraries are, as seen from there. A "$" begins an option that is for the linker only.
function(dacead_write_config_files destination include lib)
  set(header "\"-I<CFGDIR>/${include}\"\n")
  set(plugin "<CFGDIR>/${lib}/libDaceAD.so")
  set(load "\"-fplugin=${plugin}\"\n\"-fpass-plugin=${plugin}\"\n")
  set(runtime "\"$<CFGDIR>/${lib}/libdacead_rt.a\"\n$-lm\n$-pthread\n")
  set(lto "-flto\n-fuse-ld=lld\n$-Xlinker\n\"$--load-pass-plugin=${plugin}\"\n")
  file(WRITE ${destination}/dacead.cfg "${header}${load}${runtime}")
  file(WRITE ${destination}/dacead-lto.cfg "${header}${load}${lto}${runtime}")
  file(WRITE ${destination}/dacead-flang.cfg "\"-fpass-plugin=${plugin}\"\n${runtime}")
endfunction()

configure_file(runtime/include/dacead.h include/dacead.h COPYONLY)
dacead_write_config_files(${PROJECT_BINARY_DIR} include lib)
