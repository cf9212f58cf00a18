{{/*
The daemon's settings: those of `config`, and what follows from other values. `config` wins. What the daemon does unless told
otherwise fits a terminal, so what a pod needs is always said, also where `config` was emptied.
*/}}
{{- define "vpd.settings" -}}
{{- $http := dict "host" "0.0.0.0" "auth" "kubernetes" "port" (include "vpd.containerPort" . | int) -}}
{{- if include "vpd.hasTls" . -}}
{{- $_ := set $http "tls" (dict "certFile" "/etc/vpd/tls/tls.crt" "keyFile" "/etc/vpd/tls/tls.key") -}}
{{- end -}}
{{- $own := dict "source" "kubernetes" "http" $http -}}
{{- if include "vpd.hasLeaderElection" . -}}
{{- $_ := set $own "leaderElection" (dict "enabled" true "name" (include "vpd.leaseName" .)) -}}
{{- end -}}
{{- if include "vpd.hasEvents" . -}}
{{- $_ := set $own "events" (dict "enabled" true "memory" (include "vpd.eventMemoryName" .)) -}}
{{- end -}}
{{- if .Values.caBundle.configMap -}}
{{- $_ := set $own "vsphere" (dict "caFile" (printf "/etc/vpd/ca/%s" .Values.caBundle.key)) -}}
{{- end -}}
{{- mergeOverwrite $own (deepCopy (default dict .Values.config)) | toYaml -}}
{{- end }}

{{/* Refuses what cannot work together, before anything is installed. */}}
{{- define "vpd.validate" -}}
{{- if and (gt (int .Values.replicaCount) 1) (not (include "vpd.hasLeaderElection" .)) -}}
{{- fail "replicaCount 2 needs config.leaderElection.enabled: true; otherwise both replicas would log in to every vCenter." -}}
{{- end -}}
{{- $host := dig "http" "host" "" (default dict .Values.config) -}}
{{- if regexMatch "^(127\\..*|localhost|::1)$" $host -}}
{{- fail (printf "config.http.host %s can be reached by neither probes nor the Service; 0.0.0.0 is every address, \"::\" those of IPv6 too." $host) -}}
{{- end -}}
{{- $labels := dict "commonLabels" .Values.commonLabels "podLabels" .Values.podLabels "service.labels" .Values.service.labels -}}
{{- $_ := set $labels "serviceMonitor.labels" .Values.serviceMonitor.labels -}}
{{- $_ := set $labels "prometheusRule.labels" .Values.prometheusRule.labels -}}
{{- $own := include "vpd.ownLabels" . | fromYaml -}}
{{- range $value, $given := $labels -}}
{{- range $label := keys (default dict $given) | sortAlpha -}}
{{- if hasKey $own $label -}}
{{- fail (printf "%s has %s, which the chart sets itself; remove it, or use nameOverride to change names." $value $label) -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- end }}
