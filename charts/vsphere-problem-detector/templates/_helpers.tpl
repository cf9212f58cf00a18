{{- define "vpd.name" -}}
{{- default .Chart.Name .Values.nameOverride | trunc 63 | trimSuffix "-" }}
{{- end }}

{{/* 52 characters leave room for the suffixes that some objects add. */}}
{{- define "vpd.fullname" -}}
{{- if .Values.fullnameOverride }}
{{- .Values.fullnameOverride | trunc 52 | trimSuffix "-" }}
{{- else if contains (include "vpd.name" .) .Release.Name }}
{{- .Release.Name | trunc 52 | trimSuffix "-" }}
{{- else }}
{{- printf "%s-%s" .Release.Name (include "vpd.name" .) | trunc 52 | trimSuffix "-" }}
{{- end }}
{{- end }}

{{- define "vpd.selectorLabels" -}}
app.kubernetes.io/name: {{ include "vpd.name" . | quote }}
app.kubernetes.io/instance: {{ .Release.Name | quote }}
{{- end }}

{{/* Those that selectors go by, and those that say by what an object was installed. Nobody else may set them. */}}
{{- define "vpd.ownLabels" -}}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version | replace "+" "_" | trunc 63 | trimSuffix "-" }}
{{ include "vpd.selectorLabels" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
{{- end }}

{{- define "vpd.labels" -}}
{{- include "vpd.labelsWith" (dict "root" . "labels" dict) }}
{{- end }}

{{/* The labels of an object that has further ones: root and labels. */}}
{{- define "vpd.labelsWith" -}}
{{- $usual := dict "app.kubernetes.io/component" "detector" "app.kubernetes.io/part-of" (include "vpd.name" .root) -}}
{{- $own := include "vpd.ownLabels" .root | fromYaml -}}
{{- mergeOverwrite $usual (default dict .root.Values.commonLabels) (default dict .labels) $own | toYaml }}
{{- end }}

{{- define "vpd.serviceAccountName" -}}
{{- if .Values.serviceAccount.create }}
{{- default (include "vpd.fullname" .) .Values.serviceAccount.name }}
{{- else }}
{{- default "default" .Values.serviceAccount.name }}
{{- end }}
{{- end }}

{{- define "vpd.image" -}}
{{- $registry := default .Values.image.registry .Values.global.imageRegistry -}}
{{- $image := .Values.image.repository -}}
{{- with $registry }}{{ $image = printf "%s/%s" . $image }}{{ end -}}
{{- if .Values.image.digest -}}
{{ $image }}@{{ .Values.image.digest }}
{{- else -}}
{{ $image }}:{{ default .Chart.AppVersion .Values.image.tag }}
{{- end -}}
{{- end }}

{{/* "true" or empty, as all questions here. */}}
{{- define "vpd.isOpenShift" -}}
{{- if eq (toString .Values.openshift.enabled) "auto" }}
{{- if .Capabilities.APIVersions.Has "config.openshift.io/v1" }}true{{ end }}
{{- else if .Values.openshift.enabled }}true{{ end }}
{{- end }}

{{- define "vpd.hasTls" -}}
{{- if eq (toString .Values.tls.enabled) "auto" }}
{{- if or .Values.tls.secretName (include "vpd.isOpenShift" .) }}true{{ end }}
{{- else if .Values.tls.enabled }}
{{- if not (or .Values.tls.secretName (include "vpd.isOpenShift" .)) }}
{{- fail "tls.enabled needs a certificate: name a secret of type kubernetes.io/tls in tls.secretName." }}
{{- end }}true
{{- end }}
{{- end }}

{{/* On OpenShift the service CA makes the certificate, unless one is given. */}}
{{- define "vpd.hasServingCertificate" -}}
{{- if and (include "vpd.hasTls" .) (not .Values.tls.secretName) }}true{{ end }}
{{- end }}

{{- define "vpd.tlsSecretName" -}}
{{- default (printf "%s-tls" (include "vpd.fullname" .)) .Values.tls.secretName }}
{{- end }}

{{- define "vpd.portName" -}}
{{- if include "vpd.hasTls" . }}https{{ else }}http{{ end }}
{{- end }}

{{- define "vpd.containerPort" -}}
{{- $usual := ternary 8443 8080 (eq (include "vpd.portName" .) "https") -}}
{{- default $usual (dig "http" "port" nil (default dict .Values.config)) | int }}
{{- end }}

{{- define "vpd.servicePort" -}}
{{- default (include "vpd.containerPort" .) .Values.service.port | int }}
{{- end }}

{{- define "vpd.hasAuthentication" -}}
{{- if eq (dig "http" "auth" "kubernetes" (default dict .Values.config)) "kubernetes" }}true{{ end }}
{{- end }}

{{- define "vpd.hasLeaderElection" -}}
{{- if dig "leaderElection" "enabled" true (default dict .Values.config) }}true{{ end }}
{{- end }}

{{- define "vpd.leaseName" -}}
{{- dig "leaderElection" "name" (include "vpd.fullname" .) (default dict .Values.config) }}
{{- end }}

{{- define "vpd.leaseNamespace" -}}
{{- dig "leaderElection" "namespace" .Release.Namespace (default dict .Values.config) }}
{{- end }}

{{- define "vpd.hasEvents" -}}
{{- if dig "events" "enabled" true (default dict .Values.config) }}true{{ end }}
{{- end }}

{{- define "vpd.ownEventNamespace" -}}
{{- dig "events" "namespace" .Release.Namespace (default dict .Values.config) }}
{{- end }}

{{/* Events on objects without a namespace, such as Nodes, belong in "default". */}}
{{- define "vpd.eventNamespaces" -}}
{{- uniq (list (include "vpd.ownEventNamespace" .) "default") | toJson }}
{{- end }}

{{/* The ConfigMap that remembers which Events were written. */}}
{{- define "vpd.eventMemoryName" -}}
{{- dig "events" "memory" (printf "%s-events" (include "vpd.fullname" .)) (default dict .Values.config) }}
{{- end }}

{{- define "vpd.configMapName" -}}
{{- default (include "vpd.fullname" .) .Values.existingConfigMap }}
{{- end }}
