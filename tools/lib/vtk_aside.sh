# VTK's headers and CMake files beside ParaView, for tools/setup and tools/build, which source this. Needs `root`, the tree.
#
# Debian's python3-paraview conflicts with python3-vtk9, on which libvtk9-dev depends: where the one is installed the other
# cannot be. Then both development packages are unpacked into .vtk, with links to what else their CMake files name, which is
# installed as usual (libvtk9.1 and others). Nothing of the system is removed or replaced.
vtk_folder=$root/.vtk
vtk_record=$vtk_folder/made-of  # the runtime's package and version, then the names of the packages needed beside it

vtk_version_of() { dpkg-query -W -f '${db:Status-Status} ${Version}' "$1" 2>/dev/null | sed -n 's/^installed //p'; }

# Unpacked, for the libraries that are installed now?
vtk_is_aside() {
    local name version
    [[ -f $vtk_record ]] && read -r name version <"$vtk_record" && [[ $version == "$(vtk_version_of "$name")" ]]
}

# The folder of its CMake files, where VTK is unpacked and not installed; else nothing.
vtk_cmake_folder() {
    if vtk_is_aside && [[ -z $(vtk_version_of libvtk9-dev) ]]; then (cd "$vtk_folder" && ls -d "$PWD"/usr/lib/*/cmake/vtk-*); fi
}

# What libvtk9-dev depends on, but for python3-vtk9: names of packages, of alternatives the first.
vtk_dependencies() {
    if vtk_is_aside; then tail -n +2 "$vtk_record"; return; fi
    apt-cache show --no-all-versions libvtk9-dev | sed -n 's/^Depends: //p' | tr ',' '\n' |
        sed 's/|.*//; s/([^)]*)//; s/:any//; s/ //g' | grep -v '^python3-vtk' | sort -u
}

# Downloads and unpacks; needs the dependencies installed. Messages to standard error.
vtk_unpack_aside() {
    local part=$vtk_folder.part names runtime version file package
    names=$(vtk_dependencies)
    runtime=$(grep -E '^libvtk[0-9.]+$' <<<"$names")
    version=$(vtk_version_of "$runtime")
    [[ -n $version ]] || { echo "setup: VTK's libraries are not installed" >&2; return 1; }
    rm -rf "$part"
    mkdir -p "$part/packages"
    (cd "$part/packages" && apt-get -qq download "libvtk9-dev=$version" "python3-vtk9=$version") >"$part/log" 2>&1 || {
        tail -n 5 "$part/log" >&2
        echo "setup: cannot download libvtk9-dev and python3-vtk9 of version $version; apt-get update and apt-get upgrade make libraries and lists agree" >&2
        return 1
    }
    for package in "$part"/packages/*.deb; do dpkg -x "$package" "$part"; done
    # Files of other packages are named there relative to the folder.
    while read -r file; do
        [[ ! -e $part/usr/$file && -e /usr/$file ]] || continue
        mkdir -p "$(dirname "$part/usr/$file")"
        ln -sf "/usr/$file" "$part/usr/$file"
    done < <(sed -n 's/.*"${_IMPORT_PREFIX}\/\([^";]*\)".*/\1/p' "$part"/usr/lib/*/cmake/vtk-*/*.cmake | sort -u)
    rm -rf "$part/packages" "$part/log" "$vtk_folder"
    printf '%s\n' "$runtime $version" $names >"$part/made-of"
    mv "$part" "$vtk_folder"
}
