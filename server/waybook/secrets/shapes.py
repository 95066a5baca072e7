"""The shapes of vendors' tokens: what speaks for itself wherever it stands.

A shape begins with its literal prefix at the start of a word (a run of letters, digits, `_` and `-`), which is how
`find` comes upon it. Lengths are those the vendors issue or document; where they vary, the shortest one counts.
"""

from __future__ import annotations

import re
from functools import cache

PREFIX = 2
"""Shapes are looked up by this many first characters."""

_END = r"(?![A-Za-z0-9_-])"

# rule: pattern. The pattern's first PREFIX characters are literal, alternatives in the prefix are separate rows.
_SHAPES: tuple[tuple[str, str], ...] = (
    ("1password-secret-key", r"A3-[A-Z0-9]{6}-(?:[A-Z0-9]{11}|[A-Z0-9]{6}-[A-Z0-9]{5})(?:-[A-Z0-9]{5}){3}" + _END),
    ("1password-service-token", r"ops_eyJ[A-Za-z0-9+/]{120,}={0,3}"),
    ("adobe-client-secret", r"p8e-[A-Za-z0-9_-]{32}" + _END),
    ("age-secret-key", r"AGE-SECRET-KEY-1[A-Z0-9]{58}" + _END),
    ("airtable-token", r"pat[A-Za-z0-9]{14}\.[a-f0-9]{64}" + _END),
    ("alibaba-access-key", r"LTAI[A-Za-z0-9]{17,21}" + _END),
    ("anthropic-key", r"sk-ant-(?:api|admin|oat|ort|sid)\d{2}-[A-Za-z0-9_-]{32,}"),
    ("artifactory-key", r"AKCp[A-Za-z0-9]{60,}"),
    ("atlassian-token", r"ATATT3[A-Za-z0-9_=-]{60,}"),
    ("atlassian-token", r"ATCTT3[A-Za-z0-9_=-]{60,}"),
    ("aws-access-key", r"AKIA[A-Z0-9]{16}" + _END),
    ("aws-access-key", r"ASIA[A-Z0-9]{16}" + _END),
    ("aws-access-key", r"ABIA[A-Z0-9]{16}" + _END),
    ("aws-access-key", r"ACCA[A-Z0-9]{16}" + _END),
    ("aws-bedrock-key", r"ABSK[A-Za-z0-9+/]{80,}={0,2}"),
    ("buildkite-token", r"bkua_[a-z0-9]{40}" + _END),
    ("circleci-token", r"CCIPAT_[A-Za-z0-9]{22}_[a-f0-9]{40}" + _END),
    ("clojars-token", r"CLOJARS_[a-z0-9]{60}" + _END),
    ("cloudflare-token", r"v1\.0-[a-f0-9]{24}-[a-f0-9]{146}" + _END),
    ("cloudsmith-key", r"csa_[a-f0-9]{30}[A-Za-z0-9]{6}" + _END),
    ("contentful-token", r"CFPAT-[A-Za-z0-9_-]{43}" + _END),
    ("databricks-token", r"dapi[a-f0-9]{32}(?:-\d)?" + _END),
    ("deno-token", r"ddp_[A-Za-z0-9]{36}" + _END),
    ("digitalocean-token", r"dop_v1_[a-f0-9]{64}" + _END),
    ("digitalocean-token", r"doo_v1_[a-f0-9]{64}" + _END),
    ("digitalocean-token", r"dor_v1_[a-f0-9]{64}" + _END),
    ("docker-token", r"dckr_(?:pat|oat)_[A-Za-z0-9_-]{27,}"),
    ("doppler-token", r"dp\.(?:pt|st|ct|sa|scim|audit)\.(?:[a-z0-9_-]{2,35}\.)?[A-Za-z0-9]{40,44}" + _END),
    ("dropbox-token", r"sl\.(?:u\.)?[A-Za-z0-9_-]{100,}"),
    ("duffel-token", r"duffel_(?:test|live)_[A-Za-z0-9_-]{40,}"),
    ("dynatrace-token", r"dt0[a-z]\d{2}\.[A-Z0-9]{24}\.[A-Z0-9]{64}" + _END),
    ("easypost-key", r"EZ[AT]K[A-Za-z0-9]{54}" + _END),
    ("facebook-token", r"EAA[MC][A-Za-z0-9]{80,}"),
    ("figma-token", r"figd_[A-Za-z0-9_-]{38,}"),
    ("flutterwave-key", r"FLWSECK(?:_TEST)?-[a-h0-9]{12,32}-?X?"),
    ("fly-token", r"fo1_[A-Za-z0-9_-]{43}" + _END),
    ("frameio-token", r"fio-u-[A-Za-z0-9_=-]{64}"),
    ("github-token", r"ghp_[A-Za-z0-9]{36,}"),
    ("github-token", r"gho_[A-Za-z0-9]{36,}"),
    ("github-token", r"ghu_[A-Za-z0-9]{36,}"),
    ("github-token", r"ghs_[A-Za-z0-9]{36,}"),
    ("github-token", r"ghr_[A-Za-z0-9]{36,}"),
    ("github-token", r"github_pat_[A-Za-z0-9]{22}_[A-Za-z0-9]{59}" + _END),
    ("gitlab-token", r"glpat-[A-Za-z0-9_-]{20,}(?:\.[a-z0-9]{2}\.[a-z0-9]{9})?"),
    ("gitlab-token", r"gl(?:dt|ft|soat|rt|cbt|ptt|imt|agent|oas|ffct)-[A-Za-z0-9_-]{20,}"),
    ("google-api-key", r"AIza[A-Za-z0-9_-]{35}" + _END),
    ("google-oauth-secret", r"GOCSPX-[A-Za-z0-9_-]{28}" + _END),
    ("google-oauth-token", r"ya29\.[A-Za-z0-9_-]{40,}"),
    ("grafana-token", r"glc_[A-Za-z0-9+/]{32,}={0,3}"),
    ("grafana-token", r"glsa_[A-Za-z0-9]{32}_[a-fA-F0-9]{8}" + _END),
    ("groq-key", r"gsk_[A-Za-z0-9]{48,}"),
    ("heroku-key", r"HRKU-[A-Za-z0-9_-]{30,}"),
    ("huggingface-token", r"hf_[A-Za-z0-9]{34,}"),
    ("huggingface-token", r"api_org_[A-Za-z0-9]{34}" + _END),
    ("jwt", r"eyJ[A-Za-z0-9_-]{10,}\.eyJ[A-Za-z0-9_-]{6,}\.[A-Za-z0-9_-]{16,}"),
    ("langsmith-key", r"lsv2_(?:pt|sk)_[a-f0-9]{32}_[a-f0-9]{10}" + _END),
    ("linear-key", r"lin_(?:api|oauth)_[A-Za-z0-9]{40,}"),
    ("mailchimp-key", r"[a-f0-9]{32}-us\d{1,2}" + _END),
    ("mailgun-key", r"key-[a-f0-9]{32}" + _END),
    ("mapbox-token", r"sk\.eyJ[A-Za-z0-9_-]{20,}\.[A-Za-z0-9_-]{20,}"),
    ("netlify-token", r"nfp_[A-Za-z0-9]{36,}"),
    ("newrelic-key", r"NRAK-[A-Z0-9]{27}" + _END),
    ("newrelic-key", r"NRJS-[a-f0-9]{19}" + _END),
    ("notion-token", r"ntn_[A-Za-z0-9]{40,}"),
    ("notion-token", r"secret_[A-Za-z0-9]{43}" + _END),
    ("npm-token", r"npm_[A-Za-z0-9]{36}" + _END),
    ("nvidia-key", r"nvapi-[A-Za-z0-9_-]{60,}"),
    ("openai-key", r"sk-(?:proj|svcacct|admin|None)-[A-Za-z0-9_-]{36,}"),
    ("openai-key", r"sk-[A-Za-z0-9]{20}T3BlbkFJ[A-Za-z0-9]{20}" + _END),
    ("openrouter-key", r"sk-or-v\d-[A-Za-z0-9]{40,}"),
    ("secret-key", r"sk-[A-Za-z0-9]{32,}" + _END),
    ("perplexity-key", r"pplx-[A-Za-z0-9]{40,}"),
    ("planetscale-token", r"pscale_(?:tkn|pw|oauth)_[A-Za-z0-9=._-]{32,}"),
    ("posthog-key", r"phx_[A-Za-z0-9_-]{40,}"),
    ("postman-key", r"PMAK-[a-fA-F0-9]{24}-[a-fA-F0-9]{34}" + _END),
    ("prefect-key", r"pnu_[A-Za-z0-9]{36}" + _END),
    ("pulumi-token", r"pul-[a-f0-9]{40}" + _END),
    ("pypi-token", r"pypi-AgE[A-Za-z0-9_-]{50,}"),
    ("readme-key", r"rdme_[a-z0-9]{70}" + _END),
    ("replicate-token", r"r8_[A-Za-z0-9]{37}" + _END),
    ("resend-key", r"re_[A-Za-z0-9]{8}_[A-Za-z0-9]{22,}"),
    ("rubygems-key", r"rubygems_[a-f0-9]{48}" + _END),
    ("sendgrid-key", r"SG\.[A-Za-z0-9_-]{20,24}\.[A-Za-z0-9_-]{39,50}"),
    ("sendinblue-key", r"xkeysib-[a-f0-9]{64}-[A-Za-z0-9]{16}" + _END),
    ("sentry-token", r"sntrys_eyJ[A-Za-z0-9+/=_-]{60,}"),
    ("sentry-token", r"sntryu_[a-f0-9]{64}" + _END),
    ("shippo-token", r"shippo_(?:live|test)_[a-fA-F0-9]{40}" + _END),
    ("shopify-token", r"shp(?:at|ca|pa|ss)_[a-fA-F0-9]{32}" + _END),
    ("slack-token", r"xox[abeoprs]-[A-Za-z0-9-]{10,}[A-Za-z0-9]"),
    ("slack-token", r"xapp-\d-[A-Z0-9]+-\d+-[a-z0-9]{32,}"),
    ("slack-webhook", r"hooks\.slack\.com/(?:services|workflows|triggers)/[A-Za-z0-9+/_-]{24,}"),
    ("sonar-token", r"sq[apu]_[a-f0-9]{40}" + _END),
    ("sourcegraph-token", r"sgp_(?:[a-fA-F0-9]{16}_|local_)?[a-fA-F0-9]{40}" + _END),
    ("square-token", r"sq0(?:atp|csp)-[A-Za-z0-9_-]{22,}"),
    ("square-token", r"EAAA[A-Za-z0-9_-]{60}" + _END),
    ("stripe-key", r"sk_(?:live|test|prod)_[A-Za-z0-9]{16,}"),
    ("stripe-key", r"rk_(?:live|test|prod)_[A-Za-z0-9]{16,}"),
    ("stripe-webhook-secret", r"whsec_[A-Za-z0-9+/]{32,}={0,2}"),
    ("supabase-token", r"sbp_[a-f0-9]{40}" + _END),
    ("supabase-token", r"sb_secret_[A-Za-z0-9_-]{31}" + _END),
    ("tailscale-key", r"tskey-(?:api|auth|client|scim|webhook)-[A-Za-z0-9_-]{16,}"),
    ("tavily-key", r"tvly-(?:dev-|prod-)?[A-Za-z0-9]{28,}"),
    ("telegram-token", r"\d{8,10}:AA[A-Za-z0-9_-]{33}" + _END),
    ("terraform-token", r"[A-Za-z0-9]{14}\.atlasv1\.[A-Za-z0-9_=-]{60,}"),
    ("together-key", r"tgp_v1_[A-Za-z0-9_-]{43}" + _END),
    ("twilio-key", r"SK[a-f0-9]{32}" + _END),
    ("typeform-token", r"tfp_[A-Za-z0-9_.=-]{59}"),
    ("vault-token", r"hv[sbr]\.[A-Za-z0-9_-]{24,}"),
    ("vercel-token", r"vc[pkair]_[A-Za-z0-9_-]{24,}"),
    ("wandb-key", r"wandb_v1_[A-Za-z0-9_]{40,}"),
    ("xai-key", r"xai-[A-Za-z0-9_-]{70,}"),
    ("yandex-key", r"AQVN[A-Za-z0-9_-]{35,38}" + _END),
    ("discord-webhook", r"discord(?:app)?\.com/api/webhooks/\d{17,20}/[A-Za-z0-9_-]{60,}"),
    ("teams-webhook", r"webhook\.office\.com/webhookb2/[a-f0-9-]{36}@[a-f0-9-]{36}/IncomingWebhook/[a-f0-9]{32}/[a-f0-9-]{36}"),
    ("discord-token", r"[MNO][A-Za-z0-9_-]{23,27}\.[A-Za-z0-9_-]{6}\.[A-Za-z0-9_-]{27,38}" + _END),
)  # fmt: skip

Shape = tuple[str, re.Pattern[str]]


@cache
def by_prefix() -> tuple[dict[str, tuple[Shape, ...]], tuple[Shape, ...]]:
    """Compiled shapes by their first two characters, and those without a literal beginning."""
    table: dict[str, list[Shape]] = {}
    loose: list[Shape] = []
    for rule, pattern in _SHAPES:
        shape = (rule, re.compile(pattern))
        head = pattern[:PREFIX]
        if re.fullmatch(r"[A-Za-z0-9]{2}|[A-Za-z]\d", head):
            table.setdefault(head, []).append(shape)
        else:
            loose.append(shape)
    return {head: tuple(shapes) for head, shapes in table.items()}, tuple(loose)


@cache
def beginnings() -> dict[str, tuple[str, ...]]:
    """By their first two characters, what the words begin with that a shape with a literal beginning may start at."""
    found: dict[str, list[str]] = {}
    for head, shapes in by_prefix()[0].items():
        for _, pattern in shapes:
            literal = re.match(
                r"[A-Za-z0-9_-]+(?![A-Za-z0-9_?*+{-])|[A-Za-z0-9_-]+(?=[A-Za-z0-9_-][?*+{])", pattern.pattern
            )
            found.setdefault(head, []).append(literal[0] if literal else head)
    return {head: tuple(dict.fromkeys(literals)) for head, literals in found.items()}


_DISCORD_DOTS, _DISCORD_LENGTH = 2, 59


def may_be_loose(flat: str, start: int, end: int) -> bool:
    """Whether a region may hold a shape without a literal beginning: each of them has something else that must stand there."""
    if any(flat.find(part, start, end) >= 0 for part in ("-us", ":AA", ".atlasv1.")):
        return True
    return end - start >= _DISCORD_LENGTH and flat.count(".", start, end) >= _DISCORD_DOTS
