# The program of the tarball that `make deb` puts into dist/, for Nix: nix build --override-input hub path:dist/hub-0.1.0-linux-x86_64.tar.zst
{
  description = "Contacts, notes, voice records, prices and habits in one place";
  inputs.hub = {
    url = "path:../../dist/hub-0.1.0-linux-x86_64.tar.zst";
    flake = false;
  };
  outputs = { self, nixpkgs, hub }:
    let
      pkgs = nixpkgs.legacyPackages.x86_64-linux;
      # hub loads these when they are first needed, by the names that they have in Debian 12; hub doctor names those that are not found.
      libraries = with pkgs; [
        cmark-gfm curl dbus icu libarchive libical libmicrohttpd libpq libsndfile libxml2 openssl qrencode zlib
      ];
    in {
      packages.x86_64-linux.default = pkgs.stdenv.mkDerivation {
        pname = "hub-personal";
        version = "0.1.0";
        src = hub;
        nativeBuildInputs = [ pkgs.autoPatchelfHook pkgs.makeWrapper pkgs.zstd ];
        buildInputs = [ pkgs.sqlite pkgs.gmp pkgs.stdenv.cc.cc.lib ];
        installPhase = ''
          ./install.sh --prefix $out --bindir $out/bin
          wrapProgram $out/bin/hub --prefix LD_LIBRARY_PATH : ${pkgs.lib.makeLibraryPath libraries}
        '';
      };
    };
}
