{{/* The daemon's settings: those of `config`, and what follows from other values. `config` wins. */}}
{{- define "vpd.settings" -}}
{{- $http := dict "port" (include "vpd.containerPort" . | int) -}}
{{- if include "vpd.hasTls" . -}}
{{- $_ := set $http "tls" (dict "certFile" "/etc/vpd/tls/tls.crt" "keyFile" "/etc/vpd/tls/tls.key") -}}
{{- end -}}
{{- $own := dict "source" "kubernetes" "http" $http -}}
{{- if include "vpd.hasLeaderElection" . -}}
{{- $_ := set $own "leaderElection" (dict "name" (include "vpd.leaseName" .)) -}}
{{- end -}}
{{- if include "vpd.hasEvents" . -}}
{{- $_ := set $own "events" (dict "memory" (include "vpd.eventMemoryName" .)) -}}
{{- end -}}
{{- if .Values.caBundle.configMap -}}
{{- $_ := set $own "vsphere" (dict "caFile" (printf "/etc/vpd/ca/%s" .Values.caBundle.key)) -}}
{{- end -}}
{{- mergeOverwrite $own (deepCopy .Values.config) | toYaml -}}
{{- end }}

{{/* Refuses what cannot work together, before anything is installed. */}}
{{- define "vpd.validate" -}}
{{- if and (gt (int .Values.replicaCount) 1) (not (include "vpd.hasLeaderElection" .)) -}}
{{- fail "replicaCount 2 needs config.leaderElection.enabled: true; otherwise both replicas would log in to every vCenter." -}}
{{- end -}}
{{- end }}
