"""Shapes of what ADK takes from the Gemini API: contents, parts, calls, grounding, token counts.

Every model here refuses unknown members. Enums take any text: unknown names pass.
"""

from __future__ import annotations

from evalcore.formats.adk.fields import (
    FLAG,
    NUMBER,
    OBJECT,
    TEXT,
    TEXTS,
    WHOLE,
    Base64,
    many,
    model,
    some,
)
from evalcore.formats.shapes import ANYTHING, Mapped, Number, Text

BYTES = some(Base64())
ENUM = TEXT

_MEDIA_RESOLUTION = model("A media resolution", level=ENUM, num_tokens=WHOLE)
_WORD = model("A spoken word", word=TEXT, start_offset=TEXT, end_offset=TEXT)
_TRANSCRIPTION = model(
    "A transcription",
    text=TEXT,
    finished=FLAG,
    language_code=TEXT,
    speaker_label=TEXT,
    words=many(_WORD),
    start_offset=TEXT,
    end_offset=TEXT,
)
_PARTIAL_ARG = model(
    "A partial argument",
    bool_value=FLAG,
    json_path=TEXT,
    null_value=some(Text("NULL_VALUE")),
    number_value=NUMBER,
    string_value=TEXT,
    will_continue=FLAG,
)
BLOB = model("A blob", data=BYTES, display_name=TEXT, mime_type=TEXT)
FILE_DATA = model("A file reference", file_uri=TEXT, mime_type=TEXT, display_name=TEXT)
FUNCTION_CALL = model(
    "A tool call",
    id=TEXT,
    name=TEXT,
    args=OBJECT,
    partial_args=many(_PARTIAL_ARG),
    will_continue=FLAG,
)
_RESPONSE_PART = model(
    "A part of a tool's response",
    inline_data=some(BLOB),
    file_data=some(FILE_DATA),
    media_processing=ENUM,
)
FUNCTION_RESPONSE = model(
    "A tool response",
    id=TEXT,
    name=TEXT,
    response=OBJECT,
    parts=many(_RESPONSE_PART),
    scheduling=ENUM,
    will_continue=FLAG,
)
PART = model(
    "A part",
    text=TEXT,
    thought=FLAG,
    thought_signature=BYTES,
    function_call=some(FUNCTION_CALL),
    function_response=some(FUNCTION_RESPONSE),
    inline_data=some(BLOB),
    file_data=some(FILE_DATA),
    executable_code=some(model("Executable code", code=TEXT, language=ENUM, id=TEXT)),
    code_execution_result=some(model("A code result", outcome=ENUM, output=TEXT, id=TEXT)),
    video_metadata=some(model("Video metadata", start_offset=TEXT, end_offset=TEXT, fps=NUMBER)),
    media_resolution=some(_MEDIA_RESOLUTION),
    tool_call=some(model("A built-in tool's call", id=TEXT, tool_type=ENUM, args=OBJECT)),
    tool_response=some(
        model("A built-in tool's response", id=TEXT, tool_type=ENUM, response=OBJECT)
    ),
    part_metadata=OBJECT,
    audio_transcription=some(_TRANSCRIPTION),
    media_processing=ENUM,
    speech_metadata=some(model("Speech metadata", speaker=TEXT, style=TEXT)),
)
CONTENT = model("A message", parts=many(PART), role=TEXT)

_REVIEW = model(
    "A review",
    author_attribution=some(model("An author", display_name=TEXT, photo_uri=TEXT, uri=TEXT)),
    flag_content_uri=TEXT,
    google_maps_uri=TEXT,
    relative_publish_time_description=TEXT,
    review=TEXT,
    review_id=TEXT,
    title=TEXT,
)
_MAPS = model(
    "A map source",
    place_answer_sources=some(
        model(
            "Sources about a place",
            review_snippet=many(_REVIEW),
            review_snippets=many(_REVIEW),
            flag_content_uri=TEXT,
        )
    ),
    place_id=TEXT,
    text=TEXT,
    title=TEXT,
    uri=TEXT,
    route=some(model("A route", distance_meters=WHOLE, duration=TEXT, encoded_polyline=TEXT)),
)
_RAG_CHUNK = model(
    "A retrieved chunk",
    page_span=some(model("A page span", first_page=WHOLE, last_page=WHOLE)),
    text=TEXT,
    chunk_id=TEXT,
    file_id=TEXT,
)
_CUSTOM_METADATA = model(
    "Custom metadata",
    key=TEXT,
    numeric_value=NUMBER,
    string_value=TEXT,
    string_list_value=some(model("A list of texts", values=TEXTS)),
)
_RETRIEVED = model(
    "A retrieved source",
    document_name=TEXT,
    rag_chunk=some(_RAG_CHUNK),
    text=TEXT,
    title=TEXT,
    uri=TEXT,
    custom_metadata=many(_CUSTOM_METADATA),
    file_search_store=TEXT,
    page_number=WHOLE,
    media_id=TEXT,
)
_CHUNK = model(
    "A grounding chunk",
    image=some(model("An image source", source_uri=TEXT, image_uri=TEXT, title=TEXT, domain=TEXT)),
    maps=some(_MAPS),
    retrieved_context=some(_RETRIEVED),
    web=some(model("A web source", domain=TEXT, title=TEXT, uri=TEXT)),
)
_SEGMENT = model("A segment", start_index=WHOLE, end_index=WHOLE, part_index=WHOLE, text=TEXT)
_SUPPORT = model(
    "A grounding support",
    confidence_scores=many(Number()),
    grounding_chunk_indices=many(Number(whole=True)),
    segment=some(_SEGMENT),
    rendered_parts=many(Number(whole=True)),
)
GROUNDING = model(
    "Grounding metadata",
    image_search_queries=TEXTS,
    grounding_chunks=many(_CHUNK),
    grounding_supports=many(_SUPPORT),
    retrieval_metadata=some(
        model("Retrieval metadata", google_search_dynamic_retrieval_score=NUMBER)
    ),
    search_entry_point=some(model("A search entry point", rendered_content=TEXT, sdk_blob=BYTES)),
    web_search_queries=TEXTS,
    google_maps_widget_context_token=TEXT,
    retrieval_queries=TEXTS,
    source_flagging_uris=many(model("A flagged source", flag_content_uri=TEXT, source_id=TEXT)),
)
_TOKENS = many(model("A token count", modality=ENUM, token_count=WHOLE))
USAGE = model(
    "Usage metadata",
    cache_tokens_details=_TOKENS,
    cached_content_token_count=WHOLE,
    candidates_token_count=WHOLE,
    candidates_tokens_details=_TOKENS,
    prompt_token_count=WHOLE,
    prompt_tokens_details=_TOKENS,
    thoughts_token_count=WHOLE,
    tool_use_prompt_token_count=WHOLE,
    tool_use_prompt_tokens_details=_TOKENS,
    total_token_count=WHOLE,
    traffic_type=ENUM,
)
GENERATION = model(
    "The model's configuration",
    temperature=NUMBER,
    top_p=NUMBER,
    top_k=NUMBER,
    candidate_count=WHOLE,
    max_output_tokens=WHOLE,
    stop_sequences=TEXTS,
    response_logprobs=FLAG,
    logprobs=WHOLE,
    presence_penalty=NUMBER,
    frequency_penalty=NUMBER,
    seed=WHOLE,
    response_mime_type=TEXT,
    labels=some(Mapped(Text())),
    cached_content=TEXT,
    response_modalities=TEXTS,
    media_resolution=ENUM,
    audio_timestamp=FLAG,
    should_return_http_response=FLAG,
    enable_enhanced_civic_answers=FLAG,
    service_tier=ENUM,
    continuation_token=BYTES,
    automatic_continuation=FLAG,
    store=FLAG,
    **dict.fromkeys(
        (
            "http_options",
            "system_instruction",
            "response_schema",
            "response_json_schema",
            "routing_config",
            "model_selection_config",
            "safety_settings",
            "tools",
            "tool_config",
            "speech_config",
            "automatic_function_calling",
            "thinking_config",
            "image_config",
            "model_armor_config",
            "audio_transcription_config",
            "generation_output_config",
        ),
        ANYTHING,
    ),
)
"""A model's settings; what is nested deeper (tools, safety, thinking) is not looked into."""
