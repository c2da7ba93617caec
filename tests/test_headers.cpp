// Nothing: the headers that tests below the physics share are compiled with it (CMakeLists.txt).
