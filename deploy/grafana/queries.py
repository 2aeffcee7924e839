"""PromQL that several panels ask alike."""


def quantile(share: float, metric: str, by: str) -> str:
    return (
        f"histogram_quantile({share}, sum by (le, {by}) ({rate(metric + '_bucket')}))"
    )


def rate(metric: str) -> str:
    return f"rate({metric}[$__rate_interval])"
