# What `cmake --install` leaves: PREFIX/lib/{libDaceAD.so,libdacead_rt.a}, PREFIX/bin/dacead-plan, the header, and three ways to use them: the CMake package,
# the pkg-config file and the clang configuration files. All of them find the rest from where they lie, so the tree may be moved.
include(CMakePackageConfigHelpers)

set(package ${CMAKE_INSTALL_LIBDIR}/cmake/DaceAD)
set(staging ${PROJECT_BINARY_DIR}/install)

install(TARGETS DaceAD LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(TARGETS dacead_rt EXPORT DaceADTargets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(TARGETS dacead-plan RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(FILES runtime/include/dacead.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})

configure_package_config_file(cmake/DaceADConfig.cmake.in ${staging}/DaceADConfig.cmake
  INSTALL_DESTINATION ${package} PATH_VARS CMAKE_INSTALL_LIBDIR)
write_basic_package_version_file(${staging}/DaceADConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(EXPORT DaceADTargets NAMESPACE DaceAD:: DESTINATION ${package})
install(FILES ${staging}/DaceADConfig.cmake ${staging}/DaceADConfigVersion.cmake DESTINATION ${package})

# Paths between the installed folders.
set(root /installed)
file(RELATIVE_PATH prefix_of_pkgconfig ${root}/${CMAKE_INSTALL_LIBDIR}/pkgconfig ${root})
configure_file(cmake/dacead.pc.in ${staging}/dacead.pc @ONLY)
install(FILES ${staging}/dacead.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)

set(configs ${CMAKE_INSTALL_DATADIR}/dacead)
file(RELATIVE_PATH include ${root}/${configs} ${root}/${CMAKE_INSTALL_INCLUDEDIR})
file(RELATIVE_PATH lib ${root}/${configs} ${root}/${CMAKE_INSTALL_LIBDIR})
dacead_write_config_files(${staging} ${include} ${lib})
install(FILES ${staging}/dacead.cfg ${staging}/dacead-lto.cfg ${staging}/dacead-flang.cfg DESTINATION ${configs})
