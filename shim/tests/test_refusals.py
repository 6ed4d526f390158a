from __future__ import annotations

import pytest
from magnum.common import exception, rpc
from oslo_messaging._drivers import common as rpc_common

from magnum_capi_functions.refusals import failure, refusal, unsupported
from magnum_capi_functions.replies import Rejected

CLASSES = {
    "invalid_label": (exception.InvalidParameterValue, 400),
    "invalid_field": (exception.InvalidParameterValue, 400),
    "ambiguous": (exception.InvalidParameterValue, 400),
    "upgrade_required": (exception.InvalidParameterValue, 400),
    "too_large": (exception.InvalidParameterValue, 400),
    "invalid_event": (exception.InvalidParameterValue, 400),
    "a code that is newer than this": (exception.InvalidParameterValue, 400),
    "unsupported": (exception.NotSupported, 400),
    "not_found": (exception.ResourceNotFound, 404),
    "permission_denied": (exception.NotAuthorized, 403),
    "quota_exceeded": (exception.ResourceLimitExceeded, 403),
    "in_progress": (exception.Conflict, 409),
    "superseded": (exception.Conflict, 409),
}


@pytest.mark.parametrize(("code", "kind", "status"), [(code, *expected) for code, expected in CLASSES.items()])
def test_a_refusal_is_the_exception_of_its_code_with_its_sentence(code: str, kind: type, status: int) -> None:
    error = refusal(Rejected(code, "Label a is wrong.", "Make it right."))
    assert (type(error), error.code, str(error)) == (kind, status, "Label a is wrong. Make it right.")


SENTENCES = ["Label a is wrong.", "100% of it", "50%", "%s %d %(code)s", "%(operation)s", "Zürich 日本", "{code} \\ \n"]


@pytest.mark.parametrize("sentence", SENTENCES)
@pytest.mark.parametrize("make", [unsupported, failure, lambda sentence: refusal(Rejected("invalid_label", sentence))])
def test_a_sentence_comes_out_as_it_went_in(make: object, sentence: str, caplog: pytest.LogCaptureFixture) -> None:
    assert str(make(sentence)) == sentence  # type: ignore[operator]
    assert caplog.text == ""


@pytest.mark.parametrize("sentence", ["Label a is wrong.", "100% of it", "Zürich 日本"])
@pytest.mark.parametrize("make", [unsupported, failure, lambda sentence: refusal(Rejected("quota_exceeded", sentence))])
def test_an_exception_comes_through_magnums_rpc_with_its_text_and_status(make: object, sentence: str) -> None:
    error = make(sentence)  # type: ignore[operator]
    wire = rpc_common.serialize_remote_exception((type(error), error, None))
    remote = rpc_common.deserialize_remote_exception(wire, rpc.get_allowed_exmods())
    assert isinstance(remote, type(error))
    assert (remote.code, remote.format_message().splitlines()[0]) == (error.code, sentence)
