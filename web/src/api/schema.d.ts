// Generated from the hub’s OpenAPI document by `npm run web:types`. Do not edit.

export interface paths {
    "/catalogue": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            extent: {
                                west: number;
                                south: number;
                                east: number;
                                north: number;
                            } | null;
                            datasets: components["schemas"]["Dataset"][];
                        };
                        "application/ld+json": Record<string, never>;
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/catalogue/{service}/{type}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Dataset"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/catalogue/{service}/{type}/members": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            id: string;
                            /** @enum {unknown} */
                            language: "rawfilter" | "where";
                            operators: string[];
                            parameters: {
                                name: string;
                                label: {
                                    de: string;
                                    it: string;
                                    en: string;
                                };
                                /** @enum {unknown} */
                                kind: "date" | "flag" | "range" | "bits" | "ids";
                                unit: string | null;
                                field: string;
                                isCounted: boolean;
                            }[];
                            members: {
                                path: string;
                                /** @enum {unknown} */
                                type: "text" | "number" | "boolean" | "time" | "object" | "json" | "value" | "place" | "any";
                                description: string | null;
                                isList: boolean;
                                canFilter: boolean;
                                canSort: boolean;
                                takesToken: boolean;
                                operators: string[];
                                /** @enum {unknown} */
                                at: "records" | "stations" | "values" | "edges";
                                deprecated: {
                                    /** Format: date */
                                    since: string;
                                    /** Format: date */
                                    removedAfter: string;
                                    description: string;
                                    replacement: string | null;
                                } | null;
                                label: {
                                    de: string;
                                    it: string;
                                    en: string;
                                } | null;
                                /** @enum {unknown} */
                                role: "image" | "title" | "kind" | "from" | "to" | "municipality" | "capacity" | "code" | "source" | "licence" | "status" | "changed" | "place" | "introduction" | "text" | null;
                                unit: string | null;
                                filters: string[];
                                /** Format: int64 */
                                column: number | null;
                            }[];
                        };
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/catalogue/{service}/{type}/values": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            id: string;
                            tags: {
                                id: string;
                                /** Format: int64 */
                                count: number;
                                title: {
                                    [key: string]: string;
                                };
                            }[];
                            languages: {
                                id: string;
                                /** Format: int64 */
                                count: number;
                            }[];
                            sources: {
                                id: string;
                                /** Format: int64 */
                                count: number;
                            }[];
                            licences: {
                                id: string;
                                /** Format: int64 */
                                count: number;
                            }[];
                            dataTypes: {
                                id: string;
                                /** Format: int64 */
                                count: number;
                                unit: string | null;
                                description: string | null;
                            }[];
                            parameters: {
                                [key: string]: {
                                    id: string;
                                    code: string;
                                    title: {
                                        [key: string]: string;
                                    };
                                }[];
                            };
                        };
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/catalogue/{service}/{type}/check": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            id: string;
                            checks: {
                                parameter: string;
                                valid: boolean;
                                canonical: string | null;
                                errors: {
                                    detail: string;
                                    /** Format: int64 */
                                    position?: number;
                                    expected?: string[];
                                    hint?: string;
                                }[];
                                warnings: {
                                    detail: string;
                                    /** Format: int64 */
                                    position?: number;
                                    expected?: string[];
                                    hint?: string;
                                }[];
                            }[];
                        };
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/quota": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            isEnforced: boolean;
                            policy: string;
                            requests: number | null;
                            countedPer: ("user" | "referer" | "address" | "path")[];
                            historyDays: number | null;
                            reason: string;
                            /** Format: int64 */
                            window: number;
                            remaining: number | null;
                            /** Format: int64 */
                            reset: number;
                            caller: {
                                address: string;
                                referer: string | null;
                                user: string | null;
                            };
                            policies: {
                                policy: string;
                                requests: number | null;
                                countedPer: ("user" | "referer" | "address" | "path")[];
                                historyDays: number | null;
                            }[];
                        };
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/explorer.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            title: string;
                            version: string;
                            /** Format: uri */
                            publicUrl: string;
                            timeZone: string;
                            languages: string[];
                            services: ("content" | "timeseries" | "traffic" | "push")[];
                            map: {
                                tiles?: string;
                                style?: string;
                                attribution?: string;
                            };
                            login: {
                                /** Format: uri */
                                issuer: string;
                                clientId: string;
                            } | null;
                        };
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        Dataset: {
            id: string;
            /** @enum {unknown} */
            service: "content" | "timeseries" | "traffic";
            type: string;
            dataspace: string;
            title: {
                de: string;
                it: string;
                en: string;
            };
            description: {
                de: string;
                it: string;
                en: string;
            };
            titleField: string;
            /** Format: int64 */
            count: number | null;
            updated: string | null;
            freshness: {
                /** @enum {unknown} */
                state: "fresh" | "late" | "stale" | "silent";
                /** Format: int64 */
                series: number;
                states: {
                    [key: string]: number;
                };
            } | null;
            /** @enum {unknown} */
            access: "open" | "partly" | "closed";
            licences: string[];
            sources: string[];
            languages: string[];
            tags: {
                id: string;
                /** Format: int64 */
                count: number;
            }[];
            dataTypes: {
                id: string;
                /** Format: int64 */
                count: number;
            }[];
            formats: {
                name: string;
                mediaType: string;
            }[];
            operations: string[];
            links: {
                [key: string]: string;
            };
            extent: {
                west: number;
                south: number;
                east: number;
                north: number;
            } | null;
            miniature: {
                /** @enum {unknown} */
                kind: "map" | "changes";
                viewBox: string;
                path: string;
            } | null;
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export type operations = Record<string, never>;
