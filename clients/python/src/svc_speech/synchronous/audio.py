# Generated from the asynchronous client by clients/generator/run.ts; do not edit.
"""The file endpoints: a recording in, a result out."""

from collections.abc import Mapping
from typing import Any, Literal, Unpack, overload

from ..calls import Call, Recording
from ..schemas import (
    AffectRequest,
    AnalysisRequest,
    EmotionRequest,
    LiteResult,
    ProficiencyRequest,
    ProficiencyResult,
    Resonance2Result,
    Spectra2Result,
    SpeechResult,
    StyleRequest,
    SyntheticSpeechResult,
    TranscriptionRequest,
)
from .transport import Transport


class Audio:
    """Each method takes a recording, an optional request id, and the endpoint's form fields."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def transcription(
        self,
        recording: Recording,
        *,
        request_id: str | None = None,
        **fields: Unpack[TranscriptionRequest],
    ) -> SpeechResult:
        """The words, with the models of the common shape."""
        return self._post("/v1/audio/transcriptions", recording, fields, request_id)

    @overload
    def lite(
        self,
        recording: Recording,
        *,
        response_format: Literal["text"],
        request_id: str | None = None,
        language: Literal["en", "en-US", "en-GB"] = "en",
    ) -> str: ...

    @overload
    def lite(
        self,
        recording: Recording,
        *,
        request_id: str | None = None,
        **fields: Unpack[TranscriptionRequest],
    ) -> LiteResult: ...

    def lite(
        self, recording: Recording, *, request_id: str | None = None, **fields: Any
    ) -> LiteResult | str:
        """The words of up to a minute of English, by svc-svceet."""
        named = {**fields, "model": "svc-svceet"}
        return self._post("/v1/audio/transcriptions", recording, named, request_id)

    def spectra2(
        self,
        recording: Recording,
        *,
        task: Literal["transcription", "analysis"] = "transcription",
        request_id: str | None = None,
    ) -> Spectra2Result:
        """Words and scores of up to a minute, by svc-spectra-2."""
        paths = {"transcription": "/v1/audio/transcriptions", "analysis": "/v1/audio/analysis"}
        return self._post(paths[task], recording, {"model": "svc-spectra-2"}, request_id)

    def analysis(
        self,
        recording: Recording,
        *,
        request_id: str | None = None,
        **fields: Unpack[AnalysisRequest],
    ) -> SpeechResult:
        """Words, emotions, styles, segments and tagged text."""
        return self._post("/v1/audio/analysis", recording, fields, request_id)

    def emotion(
        self,
        recording: Recording,
        *,
        request_id: str | None = None,
        **fields: Unpack[EmotionRequest],
    ) -> SpeechResult:
        """The 15 emotions."""
        return self._post("/v1/audio/emotions", recording, fields, request_id)

    def style(
        self,
        recording: Recording,
        *,
        request_id: str | None = None,
        **fields: Unpack[StyleRequest],
    ) -> SpeechResult:
        """The 16 speaking styles."""
        return self._post("/v1/audio/styles", recording, fields, request_id)

    def affect(
        self,
        recording: Recording,
        *,
        request_id: str | None = None,
        **fields: Unpack[AffectRequest],
    ) -> SpeechResult:
        """Emotions and styles, without words."""
        return self._post("/v1/audio/affect", recording, fields, request_id)

    def proficiency(
        self,
        recording: Recording,
        *,
        request_id: str | None = None,
        **fields: Unpack[ProficiencyRequest],
    ) -> ProficiencyResult:
        """Pronunciation of the recording and of each word."""
        return self._post("/v1/audio/proficiency", recording, fields, request_id)

    def resonance2(
        self,
        recording: Recording,
        *,
        regime: Literal["f1", "precision"] = "f1",
        request_id: str | None = None,
    ) -> Resonance2Result:
        """31 calibrated labels; the organization needs access."""
        path = f"/v1/audio/resonance-2?regime={regime}"
        return self._post(path, recording, {"model": "svc-resonance-2"}, request_id)

    def synthetic_speech(
        self, recording: Recording, *, request_id: str | None = None
    ) -> SyntheticSpeechResult:
        """Whether the voice is human or synthetic."""
        return self._post("/v1/audio/synthetic-speech", recording, {}, request_id)

    def _post(
        self, path: str, recording: Recording, fields: Mapping[str, Any], request_id: str | None
    ) -> Any:
        # The format of the answer is one of the fields.
        return self._transport.json_or_text(
            Call(
                path,
                "POST",
                fields=fields,
                recording=recording,
                id_header="X-Request-ID",
                id=request_id,
            )
        )
