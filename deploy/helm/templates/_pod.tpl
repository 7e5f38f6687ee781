{{- define "svc.labels" -}}
app.kubernetes.io/name: svc-speech
app.kubernetes.io/instance: {{ .Release.Name }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
{{- end }}

{{- define "svc.selector" -}}
app.kubernetes.io/name: svc-speech
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .component }}
{{- end }}

{{- define "svc.image" -}}
{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}
{{- end }}

{{/* The variable whose file a key of the Secret is. */}}
{{- define "svc.fileVariable" -}}
{{- $names := dict
  "database-url" "DATABASE_URL_FILE"
  "database-owner-url" "DATABASE_OWNER_URL_FILE"
  "secrets-key" "SVC_SECRETS_KEY_FILE"
  "s3-access-key-id" "S3_ACCESS_KEY_ID_FILE"
  "s3-secret-access-key" "S3_SECRET_ACCESS_KEY_FILE"
  "s3-ca" "S3_TLS_CA_FILE"
  "temporal-api-key" "TEMPORAL_API_KEY_FILE"
  "temporal-client-cert" "TEMPORAL_TLS_CLIENT_CERT_PATH"
  "temporal-client-key" "TEMPORAL_TLS_CLIENT_KEY_PATH"
  "temporal-ca" "TEMPORAL_TLS_SERVER_CA_CERT_PATH" -}}
{{- required (printf "secret.keys: %s is none that the service reads" .) (index $names .) -}}
{{- end }}

{{/* The only key that changes the schema stays with set-up. */}}
{{- define "svc.keys" -}}
{{- $keys := list -}}
{{- range .root.Values.secret.keys -}}
{{- if or (ne . "database-owner-url") (eq $.component "setup") -}}{{- $keys = append $keys . -}}{{- end -}}
{{- end -}}
{{- toJson $keys -}}
{{- end }}

{{- define "svc.pod" -}}
{{- $root := .root -}}
{{- $role := .role -}}
{{- $keys := include "svc.keys" . | fromJsonArray -}}
serviceAccountName: {{ $root.Release.Name }}-{{ ternary "setup" "svc-speech" (eq .component "setup") }}
automountServiceAccountToken: false
{{- with $root.Values.imagePullSecrets }}
imagePullSecrets: {{- toYaml . | nindent 2 }}
{{- end }}
# Longer than the 5 s of leaving and the 25 s that a process takes to end in order.
terminationGracePeriodSeconds: 40
securityContext:
  runAsNonRoot: true
  runAsUser: 10001
  runAsGroup: 10001
  fsGroup: 10001
  seccompProfile: { type: RuntimeDefault }
{{- with .pool }}
{{- with .nodeSelector }}
nodeSelector: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .tolerations }}
tolerations: {{- toYaml . | nindent 2 }}
{{- end }}
{{- end }}
{{- if ne .component "setup" }}
topologySpreadConstraints:
  - maxSkew: 1
    topologyKey: kubernetes.io/hostname
    whenUnsatisfiable: ScheduleAnyway
    labelSelector:
      matchLabels: {{- include "svc.selector" . | nindent 8 }}
{{- end }}
volumes:
  - name: tmp
    emptyDir: { sizeLimit: {{ $root.Values.temporaryStorage }} }
  - name: secret
    secret:
      secretName: {{ $root.Values.secret.name }}
      defaultMode: 0440
      items:
        {{- range $keys }}
        - { key: {{ . }}, path: {{ . }} }
        {{- end }}
  {{- with $root.Values.extraVolumes }}
  {{- toYaml . | nindent 2 }}
  {{- end }}
containers:
  - name: {{ .component }}
    image: {{ include "svc.image" $root }}
    imagePullPolicy: {{ $root.Values.image.pullPolicy }}
    args: [{{ $role }}]
    env:
      {{- range $keys }}
      - { name: {{ include "svc.fileVariable" . }}, value: /run/secrets/svc/{{ . }} }
      {{- end }}
      {{- $settings := mergeOverwrite (dict) $root.Values.settings (.settings | default dict) ((.pool | default dict).settings | default dict) }}
      {{- range $name, $value := $settings }}
      - { name: {{ $name }}, value: {{ $value | quote }} }
      {{- end }}
    securityContext:
      allowPrivilegeEscalation: false
      readOnlyRootFilesystem: true
      capabilities: { drop: [ALL] }
    volumeMounts:
      - { name: tmp, mountPath: /tmp }
      - { name: secret, mountPath: /run/secrets/svc, readOnly: true }
      {{- with $root.Values.extraVolumeMounts }}
      {{- toYaml . | nindent 6 }}
      {{- end }}
    {{- with (.pool | default dict).resources }}
    resources: {{- toYaml . | nindent 6 }}
    {{- end }}
    {{- if ne .component "setup" }}
    ports:
      - { name: metrics, containerPort: 9464 }
      {{- with .port }}
      - { name: {{ .name }}, containerPort: {{ .number }} }
      {{- end }}
    {{- if .port }}
    # Until everybody knows that it is leaving, it is still being sent connections.
    lifecycle: { preStop: { exec: { command: [sleep, '5'] } } }
    {{- end }}
    # Models take their time to load, on a busy node more of it. An API loads none: while what it
    # needs is away, it waits unready instead of being started again and again.
    startupProbe:
      httpGet: { path: {{ ternary "/livez" "/readyz" (eq .component "api") }}, port: metrics }
      periodSeconds: 5
      timeoutSeconds: 4
      failureThreshold: 60
    livenessProbe:
      httpGet: { path: /livez, port: metrics }
      periodSeconds: 10
      timeoutSeconds: 5
      failureThreshold: 6
    readinessProbe:
      httpGet: { path: /readyz, port: metrics }
      periodSeconds: 5
      timeoutSeconds: 4
    {{- end }}
{{- end }}

{{/* A deployment of one role with its disruption budget. */}}
{{- define "svc.deployment" -}}
{{- $root := .root -}}
apiVersion: apps/v1
kind: Deployment
metadata:
  name: {{ $root.Release.Name }}-{{ .component }}
  labels: {{- include "svc.labels" $root | nindent 4 }}
    app.kubernetes.io/component: {{ .component }}
spec:
  {{- if not .scaled }}
  replicas: {{ .replicas }}
  {{- end }}
  strategy:
    # The new version serves before the old one goes.
    rollingUpdate: { maxUnavailable: 0, maxSurge: 1 }
  selector:
    matchLabels: {{- include "svc.selector" . | nindent 6 }}
  template:
    metadata:
      labels: {{- include "svc.selector" . | nindent 8 }}
      {{- if $root.Values.prometheus.annotations }}
      annotations:
        prometheus.io/scrape: 'true'
        prometheus.io/port: '9464'
      {{- end }}
    spec: {{- include "svc.pod" . | nindent 6 }}
---
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata:
  name: {{ $root.Release.Name }}-{{ .component }}
  labels: {{- include "svc.labels" $root | nindent 4 }}
spec:
  maxUnavailable: 1
  selector:
    matchLabels: {{- include "svc.selector" . | nindent 6 }}
{{- end }}
