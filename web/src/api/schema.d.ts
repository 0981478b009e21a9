// Generated from the hub’s OpenAPI document by `npm run web:types`. Do not edit.

export interface paths {
    "/health": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getHealth"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/ready": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getReady"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/catalogue": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listDatasets"];
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
        get: operations["getDataset"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/catalogue/{service}/{type}/miniature.svg": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getMiniature"];
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
        get: operations["listMembers"];
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
        get: operations["listValues"];
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
        get: operations["checkExpressions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/Deprecated": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @deprecated */
        get: operations["listDeprecated"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/deprecations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getDeprecations"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/MetaData": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listMetaData"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/MetaData/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getMetaData"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listMetaData2"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/MetaData/{id}/History": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listHistoryOfMetaData"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/MetaData/{id}/History/{revision}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getVersionOfMetaData"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/Tag": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listTag"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/Tag/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getTag"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/Tag/{id}/History": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listHistoryOfTag"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/Tag/{id}/History/{revision}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getVersionOfTag"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/Source": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listSource"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/Source/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getSource"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/Source/{id}/History": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listHistoryOfSource"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/Source/{id}/History/{revision}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getVersionOfSource"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/GeoShapes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listGeoShape"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/GeoShapes/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getGeoShape"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/GeoShapes/{id}/History": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listHistoryOfGeoShape"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/GeoShapes/{id}/History/{revision}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getVersionOfGeoShape"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/Location": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listLocation"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/Location/Skiarea": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listLocationSkiarea"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/Distinct": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listDistinct"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/Find": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["find"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/Filter": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["filter"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listRepresentations"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/{representation}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listTypes"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/freshness/{stationTypes}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listFreshness"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/{representation}/{stationTypes}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listStations"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/{representation}/{stationTypes}/{dataTypes}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listSeries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/{representation}/{stationTypes}/{dataTypes}/{from}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listLatest"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/{representation}/{stationTypes}/{dataTypes}/{from}/{to}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listHistory"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/traffic/datex/2": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listTrafficFeeds"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/traffic/v1/{entityType}/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getSituationPublication"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/traffic/datex/2/{provider}/situation-publication.xml": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getSituationPublicationFile"];
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
        get: operations["getQuota"];
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
        get: operations["getExplorer"];
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
        TourismMetaData: {
            Id: string;
            _Meta?: {
                Id?: string | null;
                Type?: string | null;
                Source?: string | null;
                LastUpdate?: string | null;
                LastChange?: string | null;
                Generated?: string[] | null;
                Reduced?: boolean | null;
                UpdateInfo?: {
                    UpdatedBy?: string | null;
                    UpdateSource?: string | null;
                    /** Format: int64 */
                    Revision?: number | null;
                    UpdateHistory?: {
                        LastUpdate?: string | null;
                        UpdateSource?: string | null;
                        UpdatedBy?: string | null;
                    }[] | null;
                } | null;
            } | null;
            Self?: string | null;
            LicenseInfo?: {
                License?: string | null;
                LicenseHolder?: string | null;
                Author?: string | null;
                ClosedData?: boolean | null;
            } | null;
            Shortname?: string | null;
            Active?: boolean | null;
            FirstImport?: string | null;
            LastChange?: string | null;
            HasLanguage?: string[] | null;
            Source?: string | null;
            PublishedOn?: string[] | null;
            Mapping?: {
                [key: string]: {
                    [key: string]: string | null;
                } | null;
            } | null;
            ApiDescription?: {
                [key: string]: string | null;
            } | null;
            MetaTitle?: {
                [key: string]: string | null;
            } | null;
            MetaDescription?: {
                [key: string]: string | null;
            } | null;
            BaseUrl?: string | null;
            PathParam?: string[] | null;
            ApiFilter?: string[] | null;
            ApiUrl?: string | null;
            ApiType?: string | null;
            ApiAccess?: {
                [key: string]: string | null;
            } | null;
            Output?: {
                [key: string]: string | null;
            } | null;
            SwaggerUrl?: string | null;
            Type?: string | null;
            /** @deprecated */
            HubType?: string | null;
            CoordinateSource?: {
                Type?: string | null;
                Field?: string | null;
            } | null;
            Dataspace?: string | null;
            Category?: string[] | null;
            DataProvider?: string[] | null;
            Sources?: string[] | null;
            DatasetLicenses?: string[] | null;
            RecordCount?: {
                [key: string]: number | null;
            } | null;
            Deprecated?: boolean | null;
            ImageGallery?: {
                ImageName?: string | null;
                ImageUrl?: string | null;
                /** Format: int64 */
                Width?: number | null;
                /** Format: int64 */
                Height?: number | null;
                ImageSource?: string | null;
                ImageTitle?: {
                    [key: string]: string | null;
                } | null;
                ImageDesc?: {
                    [key: string]: string | null;
                } | null;
                ImageAltText?: {
                    [key: string]: string | null;
                } | null;
                IsInGallery?: boolean | null;
                /** Format: int64 */
                ListPosition?: number | null;
                ValidFrom?: string | null;
                ValidTo?: string | null;
                CopyRight?: string | null;
                License?: string | null;
                LicenseHolder?: string | null;
                ImageTags?: string[] | null;
            }[] | null;
            TagIds?: string[] | null;
            Tags?: {
                Id?: string | null;
                Source?: string | null;
                Self?: string | null;
                Type?: string | null;
                Name?: string | null;
                TagEntry?: {
                    [key: string]: string | null;
                } | null;
            }[] | null;
            /** @deprecated */
            HubTags?: {
                Id?: string | null;
                Self?: string | null;
            }[] | null;
        } & {
            [key: string]: unknown;
        };
        TourismMetaDataJsonResult: {
            /** Format: int64 */
            TotalResults: number;
            /** Format: int64 */
            TotalPages: number;
            /** Format: int64 */
            CurrentPage: number;
            PreviousPage: string | null;
            NextPage: string | null;
            Seed: string | null;
            Items: components["schemas"]["TourismMetaData"][];
        };
        Tag: {
            Id: string;
            _Meta?: {
                Id?: string | null;
                Type?: string | null;
                Source?: string | null;
                LastUpdate?: string | null;
                LastChange?: string | null;
                Generated?: string[] | null;
                Reduced?: boolean | null;
                UpdateInfo?: {
                    UpdatedBy?: string | null;
                    UpdateSource?: string | null;
                    /** Format: int64 */
                    Revision?: number | null;
                    UpdateHistory?: {
                        LastUpdate?: string | null;
                        UpdateSource?: string | null;
                        UpdatedBy?: string | null;
                    }[] | null;
                } | null;
            } | null;
            Self?: string | null;
            LicenseInfo?: {
                License?: string | null;
                LicenseHolder?: string | null;
                Author?: string | null;
                ClosedData?: boolean | null;
            } | null;
            /** @deprecated */
            Shortname?: string | null;
            Active?: boolean | null;
            FirstImport?: string | null;
            LastChange?: string | null;
            HasLanguage?: string[] | null;
            Source?: string | null;
            PublishedOn?: string[] | null;
            Mapping?: {
                [key: string]: {
                    [key: string]: string | null;
                } | null;
            } | null;
            TagName?: {
                [key: string]: string | null;
            } | null;
            Description?: {
                [key: string]: string | null;
            } | null;
            Types?: string[] | null;
            ValidForEntity?: string[] | null;
            PublishDataWithTagOn?: {
                [key: string]: boolean | null;
            } | null;
            HubTagIds?: string[] | null;
            /** @deprecated */
            MainEntity?: string | null;
            /** @deprecated */
            DisplayAsCategory?: boolean | null;
            /** @deprecated */
            MappedTagIds?: string[] | null;
            /** @deprecated */
            IDMCategoryMapping?: {
                [key: string]: string | null;
            } | null;
            /** @deprecated */
            LTSTaggingInfo?: {
                LTSRID?: string | null;
                ParentLTSRID?: string | null;
            } | null;
        } & {
            [key: string]: unknown;
        };
        TagJsonResult: {
            /** Format: int64 */
            TotalResults: number;
            /** Format: int64 */
            TotalPages: number;
            /** Format: int64 */
            CurrentPage: number;
            PreviousPage: string | null;
            NextPage: string | null;
            Seed: string | null;
            Items: components["schemas"]["Tag"][];
        };
        Source: {
            Id: string;
            _Meta?: {
                Id?: string | null;
                Type?: string | null;
                Source?: string | null;
                LastUpdate?: string | null;
                LastChange?: string | null;
                Generated?: string[] | null;
                Reduced?: boolean | null;
                UpdateInfo?: {
                    UpdatedBy?: string | null;
                    UpdateSource?: string | null;
                    /** Format: int64 */
                    Revision?: number | null;
                    UpdateHistory?: {
                        LastUpdate?: string | null;
                        UpdateSource?: string | null;
                        UpdatedBy?: string | null;
                    }[] | null;
                } | null;
            } | null;
            Self?: string | null;
            LicenseInfo?: {
                License?: string | null;
                LicenseHolder?: string | null;
                Author?: string | null;
                ClosedData?: boolean | null;
            } | null;
            Shortname?: string | null;
            Active?: boolean | null;
            FirstImport?: string | null;
            LastChange?: string | null;
            HasLanguage?: string[] | null;
            Source?: string | null;
            PublishedOn?: string[] | null;
            Mapping?: {
                [key: string]: {
                    [key: string]: string | null;
                } | null;
            } | null;
            Key?: string | null;
            Name?: {
                [key: string]: string | null;
            } | null;
            Description?: {
                [key: string]: string | null;
            } | null;
            Url?: string | null;
            Interfaces?: string[] | null;
            Types?: string[] | null;
            SyncDataConfig?: {
                PathParam?: string[] | null;
                BaseUrl?: string | null;
                SyncDataApiUrl?: string | null;
            }[] | null;
        } & {
            [key: string]: unknown;
        };
        SourceJsonResult: {
            /** Format: int64 */
            TotalResults: number;
            /** Format: int64 */
            TotalPages: number;
            /** Format: int64 */
            CurrentPage: number;
            PreviousPage: string | null;
            NextPage: string | null;
            Seed: string | null;
            Items: components["schemas"]["Source"][];
        };
        GeoShape: {
            Id: string;
            _Meta?: {
                Id?: string | null;
                Type?: string | null;
                Source?: string | null;
                LastUpdate?: string | null;
                LastChange?: string | null;
                Generated?: string[] | null;
                Reduced?: boolean | null;
                UpdateInfo?: {
                    UpdatedBy?: string | null;
                    UpdateSource?: string | null;
                    /** Format: int64 */
                    Revision?: number | null;
                    UpdateHistory?: {
                        LastUpdate?: string | null;
                        UpdateSource?: string | null;
                        UpdatedBy?: string | null;
                    }[] | null;
                } | null;
            } | null;
            Self?: string | null;
            LicenseInfo?: {
                License?: string | null;
                LicenseHolder?: string | null;
                Author?: string | null;
                ClosedData?: boolean | null;
            } | null;
            Shortname?: string | null;
            Active?: boolean | null;
            FirstImport?: string | null;
            LastChange?: string | null;
            HasLanguage?: string[] | null;
            Source?: string | null;
            PublishedOn?: string[] | null;
            Mapping?: {
                [key: string]: {
                    [key: string]: string | null;
                } | null;
            } | null;
            Name?: string | null;
            Type?: string | null;
            Country?: string | null;
            Srid?: string | null;
            Geometry?: {
                /** @enum {unknown} */
                type: "Point" | "MultiPoint" | "LineString" | "MultiLineString" | "Polygon" | "MultiPolygon" | "GeometryCollection";
                coordinates?: unknown[];
                geometries?: unknown[];
            } | null;
        } & {
            [key: string]: unknown;
        };
        GeoShapeJsonResult: {
            /** Format: int64 */
            TotalResults: number;
            /** Format: int64 */
            TotalPages: number;
            /** Format: int64 */
            CurrentPage: number;
            PreviousPage: string | null;
            NextPage: string | null;
            Seed: string | null;
            Items: components["schemas"]["GeoShape"][];
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    getHealth: {
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
                        /** @enum {unknown} */
                        status: "ok" | "degraded";
                        database: {
                            engine: string;
                            durability: string;
                        };
                        problems: {
                            component: string;
                            detail: string;
                        }[];
                    };
                };
            };
        };
    };
    getReady: {
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
                        /** @enum {string} */
                        status: "ready";
                    };
                };
            };
        };
    };
    listDatasets: {
        parameters: {
            query?: {
                format?: "json" | "json-ld";
                fields?: string;
            };
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
    getDataset: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                service: "content" | "timeseries" | "traffic";
                type: string;
            };
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
    getMiniature: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                service: "content" | "timeseries" | "traffic";
                type: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "image/svg+xml": string;
                };
            };
        };
    };
    listMembers: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                service: "content" | "timeseries" | "traffic";
                type: string;
            };
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
                        }[];
                    };
                };
            };
        };
    };
    listValues: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                service: "content" | "timeseries" | "traffic";
                type: string;
            };
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
                    };
                };
            };
        };
    };
    checkExpressions: {
        parameters: {
            query?: {
                rawfilter?: string;
                rawsort?: string;
                tagfilter?: string;
                polygon?: string;
                fields?: string;
                where?: string;
                select?: string;
                at?: "stations" | "values" | "edges";
            };
            header?: never;
            path: {
                service: "content" | "timeseries" | "traffic";
                type: string;
            };
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
    listDeprecated: {
        parameters: {
            query?: {
                type?: string[];
            };
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
                        [key: string]: {
                            Name: string;
                            Type: string;
                            Description: string;
                            /** Format: date */
                            DeprecationDate: string;
                            /** Format: date */
                            RemovedAfter: string;
                        }[];
                    };
                };
            };
        };
    };
    getDeprecations: {
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
                        deprecations: {
                            of: string;
                            /** @enum {unknown} */
                            kind: "member" | "parameter" | "route";
                            name: string;
                            type: string;
                            /** @enum {unknown} */
                            state: "deprecated" | "removed";
                            description: string;
                            /** Format: date */
                            since: string;
                            /** Format: date */
                            until: string;
                            anchor: string;
                        }[];
                    };
                };
            };
        };
    };
    listMetaData: {
        parameters: {
            query?: {
                pagenumber?: number;
                pagesize?: number;
                cursor?: string;
                seed?: number;
                getasidarray?: boolean;
                explain?: boolean;
                groupby?: string[];
                agg?: string[];
                language?: string;
                fields?: string[];
                removenullvalues?: boolean;
                referer?: string;
                format?: "json" | "csv" | "json-ld" | "rawdata" | "geojson" | "ndjson";
                bom?: boolean;
                stream?: boolean;
                idlist?: string[];
                searchfilter?: string;
                langfilter?: string[];
                updatefrom?: string;
                source?: string[];
                active?: boolean;
                publishedon?: string[];
                latitude?: number;
                longitude?: number;
                radius?: number;
                polygon?: string;
                near?: string;
                areafilter?: string[];
                locfilter?: string[];
                tagfilter?: string;
                rawfilter?: string;
                rawsort?: string;
            };
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
                    "application/json": components["schemas"]["TourismMetaDataJsonResult"] | string[] | {
                        /** Format: int64 */
                        TotalResults: number;
                        /** Format: int64 */
                        Visible: number;
                        Filters: {
                            Canonical: string;
                            /** Format: int64 */
                            Matches: number;
                            Parameter: string;
                            Parts: {
                                Canonical: string;
                                /** Format: int64 */
                                Matches: number;
                            }[];
                            Hints: string[];
                        }[];
                        Order: string[];
                    } | {
                        /** Format: int64 */
                        TotalResults: number;
                        /** Format: int64 */
                        TotalPages: number;
                        /** Format: int64 */
                        CurrentPage: number;
                        PreviousPage: string | null;
                        NextPage: string | null;
                        Seed: string | null;
                        Items: {
                            [key: string]: unknown;
                        }[];
                    };
                    "text/json": components["schemas"]["TourismMetaDataJsonResult"] | string[] | {
                        /** Format: int64 */
                        TotalResults: number;
                        /** Format: int64 */
                        Visible: number;
                        Filters: {
                            Canonical: string;
                            /** Format: int64 */
                            Matches: number;
                            Parameter: string;
                            Parts: {
                                Canonical: string;
                                /** Format: int64 */
                                Matches: number;
                            }[];
                            Hints: string[];
                        }[];
                        Order: string[];
                    } | {
                        /** Format: int64 */
                        TotalResults: number;
                        /** Format: int64 */
                        TotalPages: number;
                        /** Format: int64 */
                        CurrentPage: number;
                        PreviousPage: string | null;
                        NextPage: string | null;
                        Seed: string | null;
                        Items: {
                            [key: string]: unknown;
                        }[];
                    };
                    "text/plain": components["schemas"]["TourismMetaDataJsonResult"] | string[] | {
                        /** Format: int64 */
                        TotalResults: number;
                        /** Format: int64 */
                        Visible: number;
                        Filters: {
                            Canonical: string;
                            /** Format: int64 */
                            Matches: number;
                            Parameter: string;
                            Parts: {
                                Canonical: string;
                                /** Format: int64 */
                                Matches: number;
                            }[];
                            Hints: string[];
                        }[];
                        Order: string[];
                    } | {
                        /** Format: int64 */
                        TotalResults: number;
                        /** Format: int64 */
                        TotalPages: number;
                        /** Format: int64 */
                        CurrentPage: number;
                        PreviousPage: string | null;
                        NextPage: string | null;
                        Seed: string | null;
                        Items: {
                            [key: string]: unknown;
                        }[];
                    };
                    "text/csv": unknown;
                    "application/ld+json": unknown;
                    "application/ldjson": unknown;
                    "application/rawdata": unknown;
                    "application/geo+json": unknown;
                    "application/x-ndjson": unknown;
                    "application/ndjson": unknown;
                    "application/jsonl": unknown;
                };
            };
        };
    };
    getMetaData: {
        parameters: {
            query?: {
                language?: string;
                fields?: string[];
                removenullvalues?: boolean;
                referer?: string;
                format?: "json" | "csv" | "json-ld" | "rawdata" | "geojson" | "ndjson";
                bom?: boolean;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TourismMetaData"];
                    "text/json": components["schemas"]["TourismMetaData"];
                    "text/plain": components["schemas"]["TourismMetaData"];
                    "text/csv": unknown;
                    "application/ld+json": unknown;
                    "application/ldjson": unknown;
                    "application/rawdata": unknown;
                    "application/geo+json": unknown;
                    "application/x-ndjson": unknown;
                    "application/ndjson": unknown;
                    "application/jsonl": unknown;
                };
            };
        };
    };
    listMetaData2: {
        parameters: {
            query?: {
                pagenumber?: number;
                pagesize?: number;
                cursor?: string;
                seed?: number;
                getasidarray?: boolean;
                explain?: boolean;
                groupby?: string[];
                agg?: string[];
                language?: string;
                fields?: string[];
                removenullvalues?: boolean;
                referer?: string;
                format?: "json" | "csv" | "json-ld" | "rawdata" | "geojson" | "ndjson";
                bom?: boolean;
                stream?: boolean;
                idlist?: string[];
                searchfilter?: string;
                langfilter?: string[];
                updatefrom?: string;
                source?: string[];
                active?: boolean;
                publishedon?: string[];
                latitude?: number;
                longitude?: number;
                radius?: number;
                polygon?: string;
                near?: string;
                areafilter?: string[];
                locfilter?: string[];
                tagfilter?: string;
                rawfilter?: string;
                rawsort?: string;
            };
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
                    "application/json": components["schemas"]["TourismMetaDataJsonResult"] | string[] | {
                        /** Format: int64 */
                        TotalResults: number;
                        /** Format: int64 */
                        Visible: number;
                        Filters: {
                            Canonical: string;
                            /** Format: int64 */
                            Matches: number;
                            Parameter: string;
                            Parts: {
                                Canonical: string;
                                /** Format: int64 */
                                Matches: number;
                            }[];
                            Hints: string[];
                        }[];
                        Order: string[];
                    } | {
                        /** Format: int64 */
                        TotalResults: number;
                        /** Format: int64 */
                        TotalPages: number;
                        /** Format: int64 */
                        CurrentPage: number;
                        PreviousPage: string | null;
                        NextPage: string | null;
                        Seed: string | null;
                        Items: {
                            [key: string]: unknown;
                        }[];
                    };
                    "text/json": components["schemas"]["TourismMetaDataJsonResult"] | string[] | {
                        /** Format: int64 */
                        TotalResults: number;
                        /** Format: int64 */
                        Visible: number;
                        Filters: {
                            Canonical: string;
                            /** Format: int64 */
                            Matches: number;
                            Parameter: string;
                            Parts: {
                                Canonical: string;
                                /** Format: int64 */
                                Matches: number;
                            }[];
                            Hints: string[];
                        }[];
                        Order: string[];
                    } | {
                        /** Format: int64 */
                        TotalResults: number;
                        /** Format: int64 */
                        TotalPages: number;
                        /** Format: int64 */
                        CurrentPage: number;
                        PreviousPage: string | null;
                        NextPage: string | null;
                        Seed: string | null;
                        Items: {
                            [key: string]: unknown;
                        }[];
                    };
                    "text/plain": components["schemas"]["TourismMetaDataJsonResult"] | string[] | {
                        /** Format: int64 */
                        TotalResults: number;
                        /** Format: int64 */
                        Visible: number;
                        Filters: {
                            Canonical: string;
                            /** Format: int64 */
                            Matches: number;
                            Parameter: string;
                            Parts: {
                                Canonical: string;
                                /** Format: int64 */
                                Matches: number;
                            }[];
                            Hints: string[];
                        }[];
                        Order: string[];
                    } | {
                        /** Format: int64 */
                        TotalResults: number;
                        /** Format: int64 */
                        TotalPages: number;
                        /** Format: int64 */
                        CurrentPage: number;
                        PreviousPage: string | null;
                        NextPage: string | null;
                        Seed: string | null;
                        Items: {
                            [key: string]: unknown;
                        }[];
                    };
                    "text/csv": unknown;
                    "application/ld+json": unknown;
                    "application/ldjson": unknown;
                    "application/rawdata": unknown;
                    "application/geo+json": unknown;
                    "application/x-ndjson": unknown;
                    "application/ndjson": unknown;
                    "application/jsonl": unknown;
                };
            };
        };
    };
    listHistoryOfMetaData: {
        parameters: {
            query?: {
                pagenumber?: number;
                pagesize?: number;
            };
            header?: never;
            path: {
                id: string;
            };
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
                        /** Format: int64 */
                        TotalResults: number;
                        /** Format: int64 */
                        TotalPages: number;
                        /** Format: int64 */
                        CurrentPage: number;
                        PreviousPage: string | null;
                        NextPage: string | null;
                        Seed: null;
                        Items: {
                            /** Format: int64 */
                            Revision: number;
                            LastUpdate: string | null;
                            UpdatedBy: string | null;
                            Source: string | null;
                            Changes: Record<string, never>[] | null;
                            Self: string;
                        }[];
                    };
                };
            };
        };
    };
    getVersionOfMetaData: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
                revision: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TourismMetaData"];
                };
            };
        };
    };
    listTag: {
        parameters: {
            query?: {
                pagenumber?: number;
                pagesize?: number;
                cursor?: string;
                seed?: number;
                getasidarray?: boolean;
                explain?: boolean;
                groupby?: string[];
                agg?: string[];
                language?: string;
                fields?: string[];
                removenullvalues?: boolean;
                referer?: string;
                format?: "json" | "csv" | "json-ld" | "rawdata" | "geojson" | "ndjson";
                bom?: boolean;
                stream?: boolean;
                idlist?: string[];
                searchfilter?: string;
                langfilter?: string[];
                updatefrom?: string;
                source?: string[];
                active?: boolean;
                publishedon?: string[];
                latitude?: number;
                longitude?: number;
                radius?: number;
                polygon?: string;
                near?: string;
                areafilter?: string[];
                locfilter?: string[];
                tagfilter?: string;
                rawfilter?: string;
                rawsort?: string;
                validforentity?: string[];
                types?: string[];
                displayascategory?: boolean;
            };
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
                    "application/json": components["schemas"]["TagJsonResult"] | string[] | {
                        /** Format: int64 */
                        TotalResults: number;
                        /** Format: int64 */
                        Visible: number;
                        Filters: {
                            Canonical: string;
                            /** Format: int64 */
                            Matches: number;
                            Parameter: string;
                            Parts: {
                                Canonical: string;
                                /** Format: int64 */
                                Matches: number;
                            }[];
                            Hints: string[];
                        }[];
                        Order: string[];
                    } | {
                        /** Format: int64 */
                        TotalResults: number;
                        /** Format: int64 */
                        TotalPages: number;
                        /** Format: int64 */
                        CurrentPage: number;
                        PreviousPage: string | null;
                        NextPage: string | null;
                        Seed: string | null;
                        Items: {
                            [key: string]: unknown;
                        }[];
                    };
                    "text/json": components["schemas"]["TagJsonResult"] | string[] | {
                        /** Format: int64 */
                        TotalResults: number;
                        /** Format: int64 */
                        Visible: number;
                        Filters: {
                            Canonical: string;
                            /** Format: int64 */
                            Matches: number;
                            Parameter: string;
                            Parts: {
                                Canonical: string;
                                /** Format: int64 */
                                Matches: number;
                            }[];
                            Hints: string[];
                        }[];
                        Order: string[];
                    } | {
                        /** Format: int64 */
                        TotalResults: number;
                        /** Format: int64 */
                        TotalPages: number;
                        /** Format: int64 */
                        CurrentPage: number;
                        PreviousPage: string | null;
                        NextPage: string | null;
                        Seed: string | null;
                        Items: {
                            [key: string]: unknown;
                        }[];
                    };
                    "text/plain": components["schemas"]["TagJsonResult"] | string[] | {
                        /** Format: int64 */
                        TotalResults: number;
                        /** Format: int64 */
                        Visible: number;
                        Filters: {
                            Canonical: string;
                            /** Format: int64 */
                            Matches: number;
                            Parameter: string;
                            Parts: {
                                Canonical: string;
                                /** Format: int64 */
                                Matches: number;
                            }[];
                            Hints: string[];
                        }[];
                        Order: string[];
                    } | {
                        /** Format: int64 */
                        TotalResults: number;
                        /** Format: int64 */
                        TotalPages: number;
                        /** Format: int64 */
                        CurrentPage: number;
                        PreviousPage: string | null;
                        NextPage: string | null;
                        Seed: string | null;
                        Items: {
                            [key: string]: unknown;
                        }[];
                    };
                    "text/csv": unknown;
                    "application/ld+json": unknown;
                    "application/ldjson": unknown;
                    "application/rawdata": unknown;
                    "application/geo+json": unknown;
                    "application/x-ndjson": unknown;
                    "application/ndjson": unknown;
                    "application/jsonl": unknown;
                };
            };
        };
    };
    getTag: {
        parameters: {
            query?: {
                language?: string;
                fields?: string[];
                removenullvalues?: boolean;
                referer?: string;
                format?: "json" | "csv" | "json-ld" | "rawdata" | "geojson" | "ndjson";
                bom?: boolean;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Tag"];
                    "text/json": components["schemas"]["Tag"];
                    "text/plain": components["schemas"]["Tag"];
                    "text/csv": unknown;
                    "application/ld+json": unknown;
                    "application/ldjson": unknown;
                    "application/rawdata": unknown;
                    "application/geo+json": unknown;
                    "application/x-ndjson": unknown;
                    "application/ndjson": unknown;
                    "application/jsonl": unknown;
                };
            };
        };
    };
    listHistoryOfTag: {
        parameters: {
            query?: {
                pagenumber?: number;
                pagesize?: number;
            };
            header?: never;
            path: {
                id: string;
            };
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
                        /** Format: int64 */
                        TotalResults: number;
                        /** Format: int64 */
                        TotalPages: number;
                        /** Format: int64 */
                        CurrentPage: number;
                        PreviousPage: string | null;
                        NextPage: string | null;
                        Seed: null;
                        Items: {
                            /** Format: int64 */
                            Revision: number;
                            LastUpdate: string | null;
                            UpdatedBy: string | null;
                            Source: string | null;
                            Changes: Record<string, never>[] | null;
                            Self: string;
                        }[];
                    };
                };
            };
        };
    };
    getVersionOfTag: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
                revision: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Tag"];
                };
            };
        };
    };
    listSource: {
        parameters: {
            query?: {
                pagenumber?: number;
                pagesize?: number;
                cursor?: string;
                seed?: number;
                getasidarray?: boolean;
                explain?: boolean;
                groupby?: string[];
                agg?: string[];
                language?: string;
                fields?: string[];
                removenullvalues?: boolean;
                referer?: string;
                format?: "json" | "csv" | "json-ld" | "rawdata" | "geojson" | "ndjson";
                bom?: boolean;
                stream?: boolean;
                idlist?: string[];
                searchfilter?: string;
                langfilter?: string[];
                updatefrom?: string;
                source?: string[];
                active?: boolean;
                publishedon?: string[];
                latitude?: number;
                longitude?: number;
                radius?: number;
                polygon?: string;
                near?: string;
                areafilter?: string[];
                locfilter?: string[];
                tagfilter?: string;
                rawfilter?: string;
                rawsort?: string;
                typelist?: string[];
            };
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
                    "application/json": components["schemas"]["SourceJsonResult"] | string[] | {
                        /** Format: int64 */
                        TotalResults: number;
                        /** Format: int64 */
                        Visible: number;
                        Filters: {
                            Canonical: string;
                            /** Format: int64 */
                            Matches: number;
                            Parameter: string;
                            Parts: {
                                Canonical: string;
                                /** Format: int64 */
                                Matches: number;
                            }[];
                            Hints: string[];
                        }[];
                        Order: string[];
                    } | {
                        /** Format: int64 */
                        TotalResults: number;
                        /** Format: int64 */
                        TotalPages: number;
                        /** Format: int64 */
                        CurrentPage: number;
                        PreviousPage: string | null;
                        NextPage: string | null;
                        Seed: string | null;
                        Items: {
                            [key: string]: unknown;
                        }[];
                    };
                    "text/json": components["schemas"]["SourceJsonResult"] | string[] | {
                        /** Format: int64 */
                        TotalResults: number;
                        /** Format: int64 */
                        Visible: number;
                        Filters: {
                            Canonical: string;
                            /** Format: int64 */
                            Matches: number;
                            Parameter: string;
                            Parts: {
                                Canonical: string;
                                /** Format: int64 */
                                Matches: number;
                            }[];
                            Hints: string[];
                        }[];
                        Order: string[];
                    } | {
                        /** Format: int64 */
                        TotalResults: number;
                        /** Format: int64 */
                        TotalPages: number;
                        /** Format: int64 */
                        CurrentPage: number;
                        PreviousPage: string | null;
                        NextPage: string | null;
                        Seed: string | null;
                        Items: {
                            [key: string]: unknown;
                        }[];
                    };
                    "text/plain": components["schemas"]["SourceJsonResult"] | string[] | {
                        /** Format: int64 */
                        TotalResults: number;
                        /** Format: int64 */
                        Visible: number;
                        Filters: {
                            Canonical: string;
                            /** Format: int64 */
                            Matches: number;
                            Parameter: string;
                            Parts: {
                                Canonical: string;
                                /** Format: int64 */
                                Matches: number;
                            }[];
                            Hints: string[];
                        }[];
                        Order: string[];
                    } | {
                        /** Format: int64 */
                        TotalResults: number;
                        /** Format: int64 */
                        TotalPages: number;
                        /** Format: int64 */
                        CurrentPage: number;
                        PreviousPage: string | null;
                        NextPage: string | null;
                        Seed: string | null;
                        Items: {
                            [key: string]: unknown;
                        }[];
                    };
                    "text/csv": unknown;
                    "application/ld+json": unknown;
                    "application/ldjson": unknown;
                    "application/rawdata": unknown;
                    "application/geo+json": unknown;
                    "application/x-ndjson": unknown;
                    "application/ndjson": unknown;
                    "application/jsonl": unknown;
                };
            };
        };
    };
    getSource: {
        parameters: {
            query?: {
                language?: string;
                fields?: string[];
                removenullvalues?: boolean;
                referer?: string;
                format?: "json" | "csv" | "json-ld" | "rawdata" | "geojson" | "ndjson";
                bom?: boolean;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Source"];
                    "text/json": components["schemas"]["Source"];
                    "text/plain": components["schemas"]["Source"];
                    "text/csv": unknown;
                    "application/ld+json": unknown;
                    "application/ldjson": unknown;
                    "application/rawdata": unknown;
                    "application/geo+json": unknown;
                    "application/x-ndjson": unknown;
                    "application/ndjson": unknown;
                    "application/jsonl": unknown;
                };
            };
        };
    };
    listHistoryOfSource: {
        parameters: {
            query?: {
                pagenumber?: number;
                pagesize?: number;
            };
            header?: never;
            path: {
                id: string;
            };
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
                        /** Format: int64 */
                        TotalResults: number;
                        /** Format: int64 */
                        TotalPages: number;
                        /** Format: int64 */
                        CurrentPage: number;
                        PreviousPage: string | null;
                        NextPage: string | null;
                        Seed: null;
                        Items: {
                            /** Format: int64 */
                            Revision: number;
                            LastUpdate: string | null;
                            UpdatedBy: string | null;
                            Source: string | null;
                            Changes: Record<string, never>[] | null;
                            Self: string;
                        }[];
                    };
                };
            };
        };
    };
    getVersionOfSource: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
                revision: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Source"];
                };
            };
        };
    };
    listGeoShape: {
        parameters: {
            query?: {
                pagenumber?: number;
                pagesize?: number;
                cursor?: string;
                seed?: number;
                getasidarray?: boolean;
                explain?: boolean;
                groupby?: string[];
                agg?: string[];
                language?: string;
                fields?: string[];
                removenullvalues?: boolean;
                referer?: string;
                format?: "json" | "csv" | "json-ld" | "rawdata" | "geojson" | "ndjson";
                bom?: boolean;
                stream?: boolean;
                idlist?: string[];
                searchfilter?: string;
                langfilter?: string[];
                updatefrom?: string;
                source?: string[];
                active?: boolean;
                publishedon?: string[];
                latitude?: number;
                longitude?: number;
                radius?: number;
                polygon?: string;
                near?: string;
                areafilter?: string[];
                locfilter?: string[];
                tagfilter?: string;
                rawfilter?: string;
                rawsort?: string;
                srid?: string;
                simplify?: number;
                type?: string[];
            };
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
                    "application/json": components["schemas"]["GeoShapeJsonResult"] | string[] | {
                        /** Format: int64 */
                        TotalResults: number;
                        /** Format: int64 */
                        Visible: number;
                        Filters: {
                            Canonical: string;
                            /** Format: int64 */
                            Matches: number;
                            Parameter: string;
                            Parts: {
                                Canonical: string;
                                /** Format: int64 */
                                Matches: number;
                            }[];
                            Hints: string[];
                        }[];
                        Order: string[];
                    } | {
                        /** Format: int64 */
                        TotalResults: number;
                        /** Format: int64 */
                        TotalPages: number;
                        /** Format: int64 */
                        CurrentPage: number;
                        PreviousPage: string | null;
                        NextPage: string | null;
                        Seed: string | null;
                        Items: {
                            [key: string]: unknown;
                        }[];
                    };
                    "text/json": components["schemas"]["GeoShapeJsonResult"] | string[] | {
                        /** Format: int64 */
                        TotalResults: number;
                        /** Format: int64 */
                        Visible: number;
                        Filters: {
                            Canonical: string;
                            /** Format: int64 */
                            Matches: number;
                            Parameter: string;
                            Parts: {
                                Canonical: string;
                                /** Format: int64 */
                                Matches: number;
                            }[];
                            Hints: string[];
                        }[];
                        Order: string[];
                    } | {
                        /** Format: int64 */
                        TotalResults: number;
                        /** Format: int64 */
                        TotalPages: number;
                        /** Format: int64 */
                        CurrentPage: number;
                        PreviousPage: string | null;
                        NextPage: string | null;
                        Seed: string | null;
                        Items: {
                            [key: string]: unknown;
                        }[];
                    };
                    "text/plain": components["schemas"]["GeoShapeJsonResult"] | string[] | {
                        /** Format: int64 */
                        TotalResults: number;
                        /** Format: int64 */
                        Visible: number;
                        Filters: {
                            Canonical: string;
                            /** Format: int64 */
                            Matches: number;
                            Parameter: string;
                            Parts: {
                                Canonical: string;
                                /** Format: int64 */
                                Matches: number;
                            }[];
                            Hints: string[];
                        }[];
                        Order: string[];
                    } | {
                        /** Format: int64 */
                        TotalResults: number;
                        /** Format: int64 */
                        TotalPages: number;
                        /** Format: int64 */
                        CurrentPage: number;
                        PreviousPage: string | null;
                        NextPage: string | null;
                        Seed: string | null;
                        Items: {
                            [key: string]: unknown;
                        }[];
                    };
                    "text/csv": unknown;
                    "application/ld+json": unknown;
                    "application/ldjson": unknown;
                    "application/rawdata": unknown;
                    "application/geo+json": unknown;
                    "application/x-ndjson": unknown;
                    "application/ndjson": unknown;
                    "application/jsonl": unknown;
                };
            };
        };
    };
    getGeoShape: {
        parameters: {
            query?: {
                language?: string;
                fields?: string[];
                removenullvalues?: boolean;
                referer?: string;
                format?: "json" | "csv" | "json-ld" | "rawdata" | "geojson" | "ndjson";
                bom?: boolean;
                srid?: string;
                simplify?: number;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GeoShape"];
                    "text/json": components["schemas"]["GeoShape"];
                    "text/plain": components["schemas"]["GeoShape"];
                    "text/csv": unknown;
                    "application/ld+json": unknown;
                    "application/ldjson": unknown;
                    "application/rawdata": unknown;
                    "application/geo+json": unknown;
                    "application/x-ndjson": unknown;
                    "application/ndjson": unknown;
                    "application/jsonl": unknown;
                };
            };
        };
    };
    listHistoryOfGeoShape: {
        parameters: {
            query?: {
                pagenumber?: number;
                pagesize?: number;
            };
            header?: never;
            path: {
                id: string;
            };
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
                        /** Format: int64 */
                        TotalResults: number;
                        /** Format: int64 */
                        TotalPages: number;
                        /** Format: int64 */
                        CurrentPage: number;
                        PreviousPage: string | null;
                        NextPage: string | null;
                        Seed: null;
                        Items: {
                            /** Format: int64 */
                            Revision: number;
                            LastUpdate: string | null;
                            UpdatedBy: string | null;
                            Source: string | null;
                            Changes: Record<string, never>[] | null;
                            Self: string;
                        }[];
                    };
                };
            };
        };
    };
    getVersionOfGeoShape: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
                revision: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GeoShape"];
                };
            };
        };
    };
    listLocation: {
        parameters: {
            query?: {
                language?: string;
                locfilter?: string[];
                showall?: boolean;
                pagenumber?: number;
                pagesize?: number;
                referer?: string;
                type?: string[];
            };
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
                        typ: string;
                        name: string | null | {
                            [key: string]: string;
                        };
                        id: string;
                    }[] | {
                        /** Format: int64 */
                        TotalResults: number;
                        /** Format: int64 */
                        TotalPages: number;
                        /** Format: int64 */
                        CurrentPage: number;
                        PreviousPage: string | null;
                        NextPage: string | null;
                        Seed: null;
                        Items: {
                            typ: string;
                            name: string | null | {
                                [key: string]: string;
                            };
                            id: string;
                        }[];
                    };
                };
            };
        };
    };
    listLocationSkiarea: {
        parameters: {
            query?: {
                language?: string;
                locfilter?: string[];
                showall?: boolean;
                pagenumber?: number;
                pagesize?: number;
                referer?: string;
            };
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
                        typ: string;
                        name: string | null | {
                            [key: string]: string;
                        };
                        id: string;
                    }[] | {
                        /** Format: int64 */
                        TotalResults: number;
                        /** Format: int64 */
                        TotalPages: number;
                        /** Format: int64 */
                        CurrentPage: number;
                        PreviousPage: string | null;
                        NextPage: string | null;
                        Seed: null;
                        Items: {
                            typ: string;
                            name: string | null | {
                                [key: string]: string;
                            };
                            id: string;
                        }[];
                    };
                };
            };
        };
    };
    listDistinct: {
        parameters: {
            query: {
                type: string;
                fields: string[];
                getasarray?: boolean;
                excludenulloremptyvalues?: boolean;
                rawsort?: string;
                format?: "json" | "csv";
                pagenumber?: number;
                pagesize?: number;
                source?: string[];
                tagfilter?: string;
                rawfilter?: string;
            };
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
                    "application/json": ({
                        [key: string]: string | null;
                    }[] | (string | null)[]) | {
                        /** Format: int64 */
                        TotalResults: number;
                        /** Format: int64 */
                        TotalPages: number;
                        /** Format: int64 */
                        CurrentPage: number;
                        PreviousPage: string | null;
                        NextPage: string | null;
                        Seed: null;
                        Items: {
                            [key: string]: string | null;
                        }[] | (string | null)[];
                    };
                    "text/csv": unknown;
                };
            };
        };
    };
    find: {
        parameters: {
            query: {
                q: string;
                searchbasetext?: boolean;
                filteronfields?: string[];
                rawfilter?: string;
                type?: string[];
                language?: string;
                fields?: string[];
                removenullvalues?: boolean;
                limitto?: number;
                rawsort?: string;
                locfilter?: string[];
                pagenumber?: number;
                pagesize?: number;
            };
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
                        /** Format: int64 */
                        TotalResults: number;
                        /** Format: int64 */
                        TotalPages: number;
                        /** Format: int64 */
                        CurrentPage: number;
                        PreviousPage: string | null;
                        NextPage: string | null;
                        Seed: null;
                        Items: ({
                            Id: string;
                            "_Meta.Type": string;
                            Self: string;
                        } & {
                            [key: string]: unknown;
                        })[];
                        detailedResults: {
                            [key: string]: number;
                        };
                        searchTerm: string;
                    };
                };
            };
        };
    };
    filter: {
        parameters: {
            query: {
                expression: string;
                type?: string[];
                language?: string;
                fields?: string[];
                removenullvalues?: boolean;
                limitto?: number;
                rawsort?: string;
                locfilter?: string[];
                pagenumber?: number;
                pagesize?: number;
            };
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
                        /** Format: int64 */
                        TotalResults: number;
                        /** Format: int64 */
                        TotalPages: number;
                        /** Format: int64 */
                        CurrentPage: number;
                        PreviousPage: string | null;
                        NextPage: string | null;
                        Seed: null;
                        Items: ({
                            Id: string;
                            "_Meta.Type": string;
                            Self: string;
                        } & {
                            [key: string]: unknown;
                        })[];
                        detailedResults: {
                            [key: string]: number;
                        };
                    };
                };
            };
        };
    };
    listRepresentations: {
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
                        description: string;
                        self: string;
                    }[];
                };
            };
        };
    };
    listTypes: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                representation: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": ({
                        id: string;
                    } & {
                        [key: string]: unknown;
                    })[];
                };
            };
        };
    };
    listFreshness: {
        parameters: {
            query?: {
                limit?: number;
                offset?: number;
                origin?: string[];
                timezone?: string;
                shownull?: boolean;
                referer?: string;
                format?: "json" | "csv" | "ndjson" | "geojson" | "arrow" | "parquet";
                bom?: boolean;
                where?: string;
                select?: string;
            };
            header?: never;
            path: {
                stationTypes: string;
            };
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
                        /** Format: int64 */
                        offset: number;
                        /** Format: int64 */
                        limit: number;
                        data: {
                            stype?: string;
                            scode?: string;
                            sname?: string;
                            sorigin?: string;
                            tname?: string;
                            /** Format: int64 */
                            mperiod?: number;
                            /** @enum {unknown} */
                            kind?: "number" | "text" | "json";
                            /** @enum {unknown} */
                            state?: "fresh" | "late" | "stale" | "silent";
                            mvalidtime?: string;
                            /** Format: int64 */
                            lag?: number;
                            /** Format: int64 */
                            expectedPeriod?: number;
                            /** @enum {unknown} */
                            expectedBy?: "declared" | "observed";
                            futureUntil?: string;
                            coverageDay?: number;
                            coverageWeek?: number;
                            /** Format: int64 */
                            observedPeriod?: number;
                            /** Format: int64 */
                            gaps?: number;
                            /** Format: int64 */
                            missing?: number;
                            /** Format: int64 */
                            longestGap?: number;
                            longestGapFrom?: string;
                            longestGapTo?: string;
                            lastGapFrom?: string;
                            lastGapTo?: string;
                            stuckSince?: string;
                            /** Format: int64 */
                            stuckCount?: number;
                            /** Format: int64 */
                            futureCount?: number;
                        }[];
                    };
                    "text/json": {
                        /** Format: int64 */
                        offset: number;
                        /** Format: int64 */
                        limit: number;
                        data: {
                            stype?: string;
                            scode?: string;
                            sname?: string;
                            sorigin?: string;
                            tname?: string;
                            /** Format: int64 */
                            mperiod?: number;
                            /** @enum {unknown} */
                            kind?: "number" | "text" | "json";
                            /** @enum {unknown} */
                            state?: "fresh" | "late" | "stale" | "silent";
                            mvalidtime?: string;
                            /** Format: int64 */
                            lag?: number;
                            /** Format: int64 */
                            expectedPeriod?: number;
                            /** @enum {unknown} */
                            expectedBy?: "declared" | "observed";
                            futureUntil?: string;
                            coverageDay?: number;
                            coverageWeek?: number;
                            /** Format: int64 */
                            observedPeriod?: number;
                            /** Format: int64 */
                            gaps?: number;
                            /** Format: int64 */
                            missing?: number;
                            /** Format: int64 */
                            longestGap?: number;
                            longestGapFrom?: string;
                            longestGapTo?: string;
                            lastGapFrom?: string;
                            lastGapTo?: string;
                            stuckSince?: string;
                            /** Format: int64 */
                            stuckCount?: number;
                            /** Format: int64 */
                            futureCount?: number;
                        }[];
                    };
                    "text/csv": unknown;
                    "application/x-ndjson": unknown;
                    "application/ndjson": unknown;
                    "application/jsonl": unknown;
                    "application/geo+json": unknown;
                    "application/vnd.apache.arrow.stream": unknown;
                    "application/vnd.apache.parquet": unknown;
                };
            };
        };
    };
    listStations: {
        parameters: {
            query?: {
                limit?: number;
                offset?: number;
                where?: string;
                select?: string;
                shownull?: boolean;
                distinct?: boolean;
                timezone?: string;
                origin?: string[];
                referer?: string;
                format?: "json" | "csv" | "ndjson" | "geojson" | "arrow" | "parquet";
                bom?: boolean;
                groupby?: string[];
                agg?: string[];
            };
            header?: never;
            path: {
                representation: string;
                stationTypes: string;
            };
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
                        /** Format: int64 */
                        offset: number;
                        /** Format: int64 */
                        limit: number;
                        data: {
                            [key: string]: unknown;
                        }[] | {
                            [key: string]: unknown;
                        };
                    };
                    "text/json": {
                        /** Format: int64 */
                        offset: number;
                        /** Format: int64 */
                        limit: number;
                        data: {
                            [key: string]: unknown;
                        }[] | {
                            [key: string]: unknown;
                        };
                    };
                    "text/csv": unknown;
                    "application/x-ndjson": unknown;
                    "application/ndjson": unknown;
                    "application/jsonl": unknown;
                    "application/geo+json": unknown;
                    "application/vnd.apache.arrow.stream": unknown;
                    "application/vnd.apache.parquet": unknown;
                };
            };
        };
    };
    listSeries: {
        parameters: {
            query?: {
                limit?: number;
                offset?: number;
                where?: string;
                select?: string;
                shownull?: boolean;
                distinct?: boolean;
                timezone?: string;
                origin?: string[];
                referer?: string;
                format?: "json" | "csv" | "ndjson" | "geojson" | "arrow" | "parquet";
                bom?: boolean;
            };
            header?: never;
            path: {
                representation: string;
                stationTypes: string;
                dataTypes: string;
            };
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
                        /** Format: int64 */
                        offset: number;
                        /** Format: int64 */
                        limit: number;
                        data: {
                            [key: string]: unknown;
                        }[] | {
                            [key: string]: unknown;
                        };
                    };
                    "text/json": {
                        /** Format: int64 */
                        offset: number;
                        /** Format: int64 */
                        limit: number;
                        data: {
                            [key: string]: unknown;
                        }[] | {
                            [key: string]: unknown;
                        };
                    };
                    "text/csv": unknown;
                    "application/x-ndjson": unknown;
                    "application/ndjson": unknown;
                    "application/jsonl": unknown;
                    "application/geo+json": unknown;
                    "application/vnd.apache.arrow.stream": unknown;
                    "application/vnd.apache.parquet": unknown;
                };
            };
        };
    };
    listLatest: {
        parameters: {
            query?: {
                limit?: number;
                offset?: number;
                where?: string;
                select?: string;
                shownull?: boolean;
                distinct?: boolean;
                timezone?: string;
                origin?: string[];
                referer?: string;
                format?: "json" | "csv" | "ndjson" | "geojson" | "arrow" | "parquet";
                bom?: boolean;
            };
            header?: never;
            path: {
                representation: string;
                stationTypes: string;
                dataTypes: string;
                from: string;
            };
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
                        /** Format: int64 */
                        offset: number;
                        /** Format: int64 */
                        limit: number;
                        data: {
                            [key: string]: unknown;
                        }[] | {
                            [key: string]: unknown;
                        };
                    };
                    "text/json": {
                        /** Format: int64 */
                        offset: number;
                        /** Format: int64 */
                        limit: number;
                        data: {
                            [key: string]: unknown;
                        }[] | {
                            [key: string]: unknown;
                        };
                    };
                    "text/csv": unknown;
                    "application/x-ndjson": unknown;
                    "application/ndjson": unknown;
                    "application/jsonl": unknown;
                    "application/geo+json": unknown;
                    "application/vnd.apache.arrow.stream": unknown;
                    "application/vnd.apache.parquet": unknown;
                };
            };
        };
    };
    listHistory: {
        parameters: {
            query?: {
                limit?: number;
                offset?: number;
                where?: string;
                select?: string;
                shownull?: boolean;
                distinct?: boolean;
                timezone?: string;
                origin?: string[];
                referer?: string;
                format?: "json" | "csv" | "ndjson" | "geojson" | "arrow" | "parquet";
                bom?: boolean;
                bucket?: string;
                agg?: ("avg" | "min" | "max" | "count" | "sum" | "first" | "last")[];
                points?: number;
            };
            header?: never;
            path: {
                representation: string;
                stationTypes: string;
                dataTypes: string;
                from: string;
                to: string;
            };
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
                        /** Format: int64 */
                        offset: number;
                        /** Format: int64 */
                        limit: number;
                        data: {
                            [key: string]: unknown;
                        }[] | {
                            [key: string]: unknown;
                        };
                    };
                    "text/json": {
                        /** Format: int64 */
                        offset: number;
                        /** Format: int64 */
                        limit: number;
                        data: {
                            [key: string]: unknown;
                        }[] | {
                            [key: string]: unknown;
                        };
                    };
                    "text/csv": unknown;
                    "application/x-ndjson": unknown;
                    "application/ndjson": unknown;
                    "application/jsonl": unknown;
                    "application/geo+json": unknown;
                    "application/vnd.apache.arrow.stream": unknown;
                    "application/vnd.apache.parquet": unknown;
                };
            };
        };
    };
    listTrafficFeeds: {
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
                        [key: string]: {
                            [key: string]: string;
                        };
                    };
                };
            };
        };
    };
    getSituationPublication: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                entityType: string;
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/xml": string;
                    "application/geo+json": {
                        /** @enum {string} */
                        type: "FeatureCollection";
                        features: unknown[];
                    };
                };
            };
        };
    };
    getSituationPublicationFile: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                provider: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/xml": string;
                    "application/geo+json": {
                        /** @enum {string} */
                        type: "FeatureCollection";
                        features: unknown[];
                    };
                };
            };
        };
    };
    getQuota: {
        parameters: {
            query?: {
                path?: string;
                referer?: string;
            };
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
    getExplorer: {
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
}
