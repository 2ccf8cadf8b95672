@echo off
rem Scores documents with a model: quickscorer score MODEL DATA. Needs a JDK 25 or newer, named by JAVA_HOME or first on the path.
setlocal
set "home=%~dp0.."
set "java=java"
if defined JAVA_HOME set "java=%JAVA_HOME%\bin\java"
"%java%" -Xshare:auto -XX:+UseSerialGC --add-modules=jdk.incubator.vector --enable-native-access=ALL-UNNAMED "-Dquickscorer.peers=%home%\peers" "-Dquickscorer.trainers=%home%\trainers" -cp "%home%\lib\*" io.quickscorer.cli.QuickScorerCommand %*
exit /b %errorlevel%
