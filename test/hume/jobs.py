"""Jobs by the clients of the batch API at /compat/hume, as their documents show them.

Reads SVC_BASE_URL, SVC_API_KEY and the path of a recording; prints one JSON object.
"""

import io
import json
import os
import sys
import time
import zipfile
from pathlib import Path

from hume import HumeClient
from hume.environment import HumeClientEnvironment
from hume.expression_measurement.batch.types import InferenceBaseRequest, Models, Prosody
from oruk_compat import FileIdentityStore, OrukBatchError, OrukCompatClient

BASE = os.environ["SVC_BASE_URL"] + "/compat/hume"
KEY = os.environ["SVC_API_KEY"]
PATH = Path(sys.argv[1])
SPOKEN = PATH.read_bytes()


def until_ended(batch, job_id):
    """Asks as the documents advise."""
    while True:
        job = batch.get_job_details(job_id)
        if job.state.status in ("COMPLETED", "FAILED"):
            return job
        time.sleep(0.2)


def client_of(persist, **options):
    """The durable client, which stores the identity of a job before it sends anything."""
    key = KEY.replace("svc_", "oruk_", 1)
    settings = {"base_url": BASE, "persist_job": persist, "allow_insecure_localhost": True}
    client = OrukCompatClient(api_key=key, **settings, **options)
    return client.expression_measurement.batch


def anything(_record, _cancellation):
    """A store that would let a job change."""
    return True


def request_of(granularity, speakers=False):
    """What both clients send."""
    prosody = Prosody(granularity=granularity, identify_speakers=speakers)
    return InferenceBaseRequest(models=Models(prosody=prosody))


def code_of(call):
    """The code and the status of a refusal."""
    try:
        call()
    except OrukBatchError as error:
        return [error.code, error.status_code]
    return None


def lists_of(hume, newest):
    """The jobs as they are listed, of which the last two are these."""
    listed = hume.list_jobs(limit=100, sort_by="created", direction="asc")
    assert [job.dict() for job in listed[-2:]] == [job.dict() for job in newest]
    return {
        "listed": [job.state.status for job in listed],
        "chosen": [
            len(hume.list_jobs(status=["FAILED", "QUEUED"])),
            len(hume.list_jobs(status="COMPLETED", limit=2)),
            len(hume.list_jobs(when="created_before", timestamp_ms=1_000)),
            hume.list_jobs(sort_by="ended")[0].job_id == newest[-1].job_id,
        ],
    }


def main():
    """Runs the jobs one after the other."""
    folder = PATH.parent / "identities"
    folder.mkdir(mode=0o700)
    seen = {}
    for granularity in ("word", "sentence", "utterance", "conversational_turn"):
        auth = "x-hume-api-key" if granularity == "word" else "bearer"
        store = FileIdentityStore(folder / f"{granularity}.json")
        batch = client_of(store.persist, auth_header=auth)
        speakers = granularity == "conversational_turn"
        request = request_of(granularity, speakers)
        file = [("call.wav", SPOKEN, "audio/wav")]
        job_id = batch.start_inference_job_from_local_file(file=file, json=request)
        again = {"request_id": store.load().job_id}
        assert job_id == batch.start_inference_job_from_local_file(
            file=file, json=request, request_options=again
        )
        job = until_ended(batch, job_id)
        (prediction,) = batch.get_job_predictions(job_id)
        (found,) = prediction.results.predictions
        seen[granularity] = {
            "state": job.state.status,
            "predictions": job.state.num_predictions,
            "groups": [
                [group.id, [[p.text, p.time.begin, p.time.end] for p in group.predictions]]
                for group in found.models.prosody.grouped_predictions
            ],
            "native": prediction.model_dump()["oruk"]["native"]["segments"],
        }
    other = request_of("word")
    careless = client_of(anything)
    seen["conflict"] = code_of(
        lambda: careless.start_inference_job_from_local_file(
            file=[SPOKEN], json=other, request_options=again
        )
    )
    failing = careless.start_inference_job_from_local_file(
        file=[b"RIFF\x00\x00\x00\x00WAVEnonsense"], json=other
    )
    seen["failed"] = until_ended(careless, failing).state.message

    environment = HumeClientEnvironment(base=BASE, evi="", tts="", stream="")
    hume = HumeClient(api_key=KEY, environment=environment).expression_measurement.batch
    with PATH.open("rb") as recording:
        job_id = hume.start_inference_job_from_local_file(
            file=[recording], json=request_of("utterance")
        )
    job = until_ended(hume, job_id)
    seen["file"] = job.request.files[0].dict()
    (prediction,) = hume.get_job_predictions(job_id)
    seen["confidence"] = prediction.results.predictions[0].models.prosody.metadata.confidence
    archive = zipfile.ZipFile(io.BytesIO(b"".join(hume.get_job_artifacts(job_id))))
    assert archive.testzip() is None
    seen["artifacts"] = {name: archive.read(name).decode() for name in archive.namelist()}
    urls = [os.environ["RECORDING_URL"]]
    by_url = hume.start_inference_job(urls=urls, models=Models(prosody=Prosody()))
    seen["urls"] = [until_ended(hume, by_url).state.status, job.type]
    seen |= lists_of(hume, [job, hume.get_job_details(by_url)])
    print(json.dumps(seen))


main()
