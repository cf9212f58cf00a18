{{/*
The ConfigMaps and Secrets that may be read, as a mapping of namespace to resource to names. What config.source names is
read instead of what is usual.
*/}}
{{- define "vpd.readable" -}}
{{- $usual := ternary .Values.rbac.openshift .Values.rbac.kubernetes (eq (include "vpd.isOpenShift" .) "true") -}}
{{- $cloudConfigs := $usual.cloudConfigs -}}
{{- $credentials := $usual.credentials -}}
{{- $source := dig "source" "kubernetes" (default dict .Values.config) -}}
{{- if kindIs "map" $source -}}
{{- with dig "kubernetes" "cloudConfig" "" $source -}}
{{- $cloudConfigs = list (splitList "/" . | initial | join "/") -}}
{{- end -}}
{{- with dig "kubernetes" "credentials" "" $source -}}
{{- $credentials = list . -}}
{{- end -}}
{{- end -}}
{{- $configMaps := concat $cloudConfigs .Values.rbac.extraConfigMaps -}}
{{- $secrets := concat $credentials $usual.csiConfigs .Values.rbac.extraSecrets -}}
{{- $readable := dict -}}
{{- range $resource, $places := dict "configmaps" $configMaps "secrets" $secrets -}}
{{- range uniq $places -}}
{{- $place := splitList "/" . -}}
{{- $here := default dict (get $readable (first $place)) -}}
{{- $_ := set $here $resource (append (default list (get $here $resource)) (last $place)) -}}
{{- $_ := set $readable (first $place) $here -}}
{{- end -}}
{{- end -}}
{{- toYaml $readable -}}
{{- end }}

{{/*
Whether a Role can be made in a namespace. One that does not exist would fail the whole installation. Without a cluster
to ask, which shows by kube-system being missing, every namespace counts.
*/}}
{{- define "vpd.isNamespace" -}}
{{- if or (lookup "v1" "Namespace" "" .) (not (lookup "v1" "Namespace" "" "kube-system")) }}true{{ end }}
{{- end }}

{{/* Binds a Role to the daemon's account: root, name and namespace. */}}
{{- define "vpd.roleBinding" }}
apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
metadata:
  name: {{ .name }}
  namespace: {{ .namespace }}
  labels:
    {{- include "vpd.labels" .root | nindent 4 }}
roleRef:
  apiGroup: rbac.authorization.k8s.io
  kind: Role
  name: {{ .name }}
subjects:
  - kind: ServiceAccount
    name: {{ include "vpd.serviceAccountName" .root }}
    namespace: {{ .root.Release.Namespace }}
{{- end }}
