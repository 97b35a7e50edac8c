package io.magpie.verification.testing;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Methods of such a class are called for what they return: a test that says everything but {@code
 * check()} has checked nothing. Error Prone and others know the annotation by this name.
 */
@Retention(RetentionPolicy.CLASS)
@Target(ElementType.TYPE)
@interface CheckReturnValue {}
