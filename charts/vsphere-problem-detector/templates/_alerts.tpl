{{/*
The alerts. Results of several replicas are merged, so that a change of leader is no change of an alert, and objects are
counted, so that a hundred equally bad nodes are one alert. Five minutes bridge the holes of a restart.
*/}}
{{- define "vpd.alerts" -}}
{{- $own := printf `namespace="%s"` .Release.Namespace -}}
{{- $results := printf `max by (namespace, check, vcenter, scope, subject) (min_over_time(vsphere_problem_detector_check_result{%s}[5m]))` $own -}}
- alert: VSphereProblemDetectorCheckFailing
  expr: {{ printf "count by (namespace, check, vcenter) (%s == 3)" $results | quote }}
  for: 10m
  labels:
    severity: warning
  annotations:
    summary: vSphere check {{`{{ $labels.check }}`}} fails
    description: >-
      {{`Check {{ $labels.check }} fails for {{ $value }} object(s){{ with $labels.vcenter }} of vCenter {{ . }}{{ end }}.
      The status page and /status?outcome=fail say what was seen and what to do.`}}
- alert: VSphereProblemDetectorCheckUnknown
  expr: {{ printf "count by (namespace, check, vcenter) (%s == 1)" $results | quote }}
  for: 1h
  labels:
    severity: warning
  annotations:
    summary: vSphere check {{`{{ $labels.check }}`}} cannot tell
    description: >-
      {{`For an hour check {{ $labels.check }} has not seen all it needs for {{ $value }} object(s){{ with $labels.vcenter }}
      of vCenter {{ . }}{{ end }}. /status?outcome=unknown says what is missing: a permission, a vCenter, an object.`}}
- alert: VSphereProblemDetectorVCenterDown
  expr: {{ printf "max by (namespace, vcenter) (max_over_time(vsphere_problem_detector_vcenter_up{%s}[5m])) == 0" $own | quote }}
  for: 10m
  labels:
    severity: warning
  annotations:
    summary: vCenter {{`{{ $labels.vcenter }}`}} cannot be read
    description: >-
      {{`The detector cannot read vCenter {{ $labels.vcenter }}, so nothing is known about it. The result of the check
      vcenter-connection says why.`}}
- alert: VSphereProblemDetectorStale
  expr: {{ printf "time() - max by (namespace) (vsphere_problem_detector_round_last_run_timestamp_seconds{%s}) > %d" $own (int .Values.prometheusRule.staleAfterSeconds) | quote }}
  for: 10m
  labels:
    severity: warning
  annotations:
    summary: vSphere checks have stopped
    description: >-
      {{`The detector in {{ $labels.namespace }} answers, but ended its last round {{ $value | humanizeDuration }} ago. Its log
      says why.`}}
- alert: VSphereProblemDetectorDown
  expr: {{ printf "absent(vsphere_problem_detector_build_info{%s})" $own | quote }}
  for: 15m
  labels:
    severity: warning
  annotations:
    summary: vSphere problem detector is down
    description: >-
      {{`No detector in {{ $labels.namespace }} can be scraped: look at its Deployment, its ServiceMonitor and the targets of
      Prometheus.`}}
{{- end }}
