# Sourced by run: makes kustomize available to the tests of the Kubernetes manifests.

KUSTOMIZE=v5.6.0

find_kustomize() {
  [ "${PUSH22_SKIP_KUSTOMIZE:-}" != 1 ] || return 0
  has kustomize && return 0
  local folder=$PWD/build/kustomize
  if [ ! -x "$folder/kustomize" ]; then
    local go
    go=$(command -v go || echo /usr/local/go/bin/go)
    GOBIN=$folder "$go" install "sigs.k8s.io/kustomize/kustomize/v5@$KUSTOMIZE" || {
      echo "ci: the tests of the manifests need kustomize, or Go to build it" >&2
      exit 1
    }
  fi
  PATH=$folder:$PATH
}
